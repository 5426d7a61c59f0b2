import { Button, Group, MultiSelect, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import { type Publication, useApproverChoices, usePublicationChange } from './publication.ts';

interface GateSettingProps {
  graphId: string;
  asks: string[] | null;
  /** Told whether what is chosen here is not saved yet: nothing is published by either rule then. */
  onUnsaved: (unsaved: boolean) => void;
}

/** For admins: whether publishing takes somebody else's approval, and whose. */
export function GateSetting({ graphId, asks, onUnsaved }: GateSettingProps) {
  const choices = useApproverChoices();
  const [picked, setPicked] = useState(asks ?? ['role:reviewer']);
  const [on, setOn] = useState(asks !== null);
  const save = usePublicationChange(graphId, (next: string[] | null) =>
    api.patch<Publication>(`graphs/${graphId}/publication/gate/`, { asks: next }),
  );
  const isSame = on ? JSON.stringify(picked) === JSON.stringify(asks) : asks === null;
  useEffect(() => {
    onUnsaved(!isSame);
    return () => onUnsaved(false);
  }, [isSame, onUnsaved]);
  return (
    <Stack gap="xs">
      <Switch
        label="Publishing needs another person's approval"
        description="Whoever asks cannot approve it. Only admins change this; the audit log tells."
        checked={on}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      {on ? (
        <MultiSelect
          label="Who may approve"
          data={choices}
          value={picked}
          onChange={setPicked}
          searchable
          hidePickedOptions
        />
      ) : null}
      {save.error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(save.error)}
        </Text>
      ) : null}
      {isSame ? null : (
        <Group>
          <Button
            size="xs"
            variant="default"
            disabled={on && picked.length === 0}
            loading={save.isPending}
            onClick={() => save.mutate(on ? picked : null)}
          >
            Save this rule
          </Button>
        </Group>
      )}
    </Stack>
  );
}

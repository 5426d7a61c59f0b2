import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import { modelsQuery } from '../../../../api/http/queries.ts';
import { useSave } from '../../SettingsSection.tsx';

/** Set or replace the key of a known provider. */
export function KeyForm({
  provider,
  address,
  onDone,
}: {
  provider: string;
  address: string;
  onDone: () => void;
}) {
  const [key, setKey] = useState('');
  const save = useSave(
    modelsQuery.queryKey,
    () => api.patch(`models/providers/${provider}/`, { key }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Key"
          description={`Sent to ${new URL(address).host} only. It cannot be read again after this`}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Alert, Button, Group, Loader, Modal, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import { useSession } from '../../../../api/http/queries.ts';
import type * as served from '../../../../api/types/schema.gen.ts';
import type { GraphSummary } from '../../../../api/types/types.ts';
import { KeepRuns, mayKeep } from './KeepRuns.tsx';
import { inDays, type Keeping } from './retention.ts';

type Rule = served.RetentionOut;

const keepingOf = ({ days, then }: Rule): Keeping => ({
  days,
  then: then === 'delete' ? 'delete' : 'archive',
});

/** What the workspace says, in words. */
const inWords = ({ days, then }: Keeping): string =>
  days === null
    ? 'for ever'
    : `for ${inDays(days)}, then they are ${then === 'delete' ? 'deleted' : 'archived'}`;

/** How long the runs of one workflow are kept. */
export function KeepDialog({ graph, onClose }: { graph: GraphSummary; onClose: () => void }) {
  const rule = useQuery({
    queryKey: ['retention', graph.id],
    queryFn: () => api.get<Rule>(`graphs/${graph.id}/retention/`),
  });
  return (
    <Modal opened onClose={onClose} title={`Runs of “${graph.name}”`}>
      {rule.data ? (
        <KeepForm graph={graph} rule={rule.data} onClose={onClose} />
      ) : rule.error ? (
        <Alert color="red">{messageOf(rule.error)}</Alert>
      ) : (
        <Loader aria-label="Loading" />
      )}
    </Modal>
  );
}

function KeepForm({
  graph,
  rule,
  onClose,
}: {
  graph: GraphSummary;
  rule: Rule;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const { data: session } = useSession();
  const mayEdit = session?.workspace?.role === 'admin';
  const said = session?.workspace?.settings;
  const usual: Keeping = { days: said?.keep_runs_days ?? null, then: said?.old_runs ?? 'delete' };
  const [own, setOwn] = useState(rule.own);
  const [keeping, setKeeping] = useState<Keeping>(
    rule.own ? keepingOf(rule) : { days: null, then: 'archive' },
  );
  const save = useMutation({
    mutationFn: (): Promise<unknown> =>
      own
        ? api.post<Rule>(`graphs/${graph.id}/retention/`, keeping)
        : api.delete(`graphs/${graph.id}/retention/`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['retention', graph.id] });
      notifications.show({
        color: 'green',
        title: 'Saved',
        message: 'The rule counts from now on.',
      });
      onClose();
    },
  });
  const submit = async () => {
    if (await mayKeep(keepingOf(rule), own ? keeping : usual)) save.mutate();
  };
  return (
    <Stack gap="md">
      <Radio.Group
        aria-label="Which rule counts"
        value={own ? 'own' : 'usual'}
        onChange={(value) => setOwn(value === 'own')}
      >
        <Stack gap="xs">
          <Radio
            value="usual"
            disabled={!mayEdit}
            label="As the workspace says"
            description={`Finished runs are kept ${inWords(usual)}.`}
          />
          <Radio value="own" disabled={!mayEdit} label="A rule of its own" />
        </Stack>
      </Radio.Group>
      {own ? (
        <fieldset disabled={!mayEdit} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <KeepRuns keeping={keeping} onChange={setKeeping} />
        </fieldset>
      ) : null}
      {save.error ? (
        <Text c="red" size="sm" role="alert">
          {messageOf(save.error)}
        </Text>
      ) : null}
      {mayEdit ? (
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={save.isPending} onClick={() => void submit()}>
            Save
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          Only an admin may change this.
        </Text>
      )}
    </Stack>
  );
}

import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { runQuery } from '../../api/lists.ts';
import { rowsOf } from '../../api/queries.ts';
import type { Page, RunSummary } from '../../api/types.ts';
import { ForkDialog } from '../../runs/ForkDialog.tsx';
import { saveNow } from '../../store/saving.ts';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { ListSkeleton } from '../../ui/Skeletons.tsx';

/** The latest run of the graph that has ended, once the draft is saved; null when there is none. */
async function lastEnded(graphId: string): Promise<RunSummary | null> {
  await saveNow();
  const runs = rowsOf(await api.get<Page<RunSummary> | RunSummary[]>('runs/', { graph: graphId }));
  return runs.find((run) => run.ended_at !== null) ?? null;
}

/** Run the draft from a node on, with what the latest run recorded before it; the plan is shown first. */
export function RunFromDialog({ graphId, node, onClose }: { graphId: string; node: string; onClose: () => void }) {
  const last = useQuery({ queryKey: ['last-ended', graphId], queryFn: () => lastEnded(graphId), gcTime: 0, staleTime: 0 });
  const run = useQuery({ ...runQuery(last.data?.id ?? ''), enabled: Boolean(last.data) });
  const error = last.error ?? run.error;
  if (run.data?.can.fork) return <ForkDialog run={run.data} from={node} startWithDraft onClose={onClose} />;
  const none = last.data === null || run.data;
  return (
    <Modal opened onClose={onClose} title="Run from here">
      {error ? <ErrorState error={error} /> : none ? <Text size="sm">There is no finished run of this workflow yet whose results could be used. Make a test run first.</Text> : <ListSkeleton rows={4} />}
      {none ? <Group justify="flex-end" mt="md"><Button variant="default" onClick={onClose}>Close</Button></Group> : null}
    </Modal>
  );
}

import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/http/client.ts';
import { rowsOf } from '../../../api/http/queries.ts';
import type { Page, RunDetail, RunSummary } from '../../../api/types/types.ts';
import { ForkDialog } from '../../runs/control/ForkDialog.tsx';
import { saveNow } from '../../../store/saving.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';

const RUNS = 8;

/** The latest of the graph's newest runs that has ended and came to the node, once the draft is saved; null when there is none. */
async function lastThrough(graphId: string, node: string): Promise<RunDetail | null> {
  await saveNow();
  const runs = rowsOf(await api.get<Page<RunSummary> | RunSummary[]>('runs/', { graph: graphId }));
  for (const { id } of runs.filter((run) => run.ended_at !== null).slice(0, RUNS)) {
    const run = await api.get<RunDetail>(`runs/${id}/`);
    if (run.can.fork && run.spend.by_node[node]) return run;
  }
  return null;
}

/** Run the draft from a node on, with what the latest run recorded before it; the plan is shown first. */
export function RunFromDialog({
  graphId,
  node,
  onStarted,
  onClose,
}: {
  graphId: string;
  node: string;
  onStarted: (run: RunSummary) => void;
  onClose: () => void;
}) {
  const { data: run, error } = useQuery({
    queryKey: ['last-through', graphId, node],
    queryFn: () => lastThrough(graphId, node),
    gcTime: 0,
    staleTime: 0,
  });
  if (run)
    return (
      <ForkDialog run={run} from={node} startWithDraft onStarted={onStarted} onClose={onClose} />
    );
  const none = run === null;
  return (
    <Modal opened onClose={onClose} title="Run from here">
      {error ? (
        <ErrorState error={error} />
      ) : none ? (
        <Text size="sm">
          There is no finished run of this workflow yet that came to this node, so there are no
          results to use. Make a test run first.
        </Text>
      ) : (
        <ListSkeleton rows={4} />
      )}
      {none ? (
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      ) : null}
    </Modal>
  );
}

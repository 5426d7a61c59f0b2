import { IconServer } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type WorkerRow, workersQuery } from '../../../api/http/boards.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { CardSkeleton } from '../../../ui/page/Skeletons.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import classes from '../dashboard.module.css';
import { Tile } from '../Tile.tsx';
import { Standing } from './Standing.tsx';
import { duties, nameOf, versions } from './words.ts';

const columns: Column<WorkerRow>[] = [
  { id: 'name', label: 'Process', cell: nameOf },
  { id: 'duties', label: 'What it does', wide: true, cell: ({ kind }) => duties(kind) },
  {
    id: 'runs',
    label: 'Runs in hand',
    align: 'right',
    cell: ({ kind, runs }) => (kind === 'web' || runs === null ? '–' : runs),
  },
  { id: 'version', label: 'Version', wide: true, cell: ({ version }) => version || '–' },
  {
    id: 'started',
    label: 'Started',
    wide: true,
    cell: ({ started_at }) => <RelativeTime at={started_at} />,
  },
  { id: 'standing', label: 'Now', cell: (worker) => <Standing worker={worker} /> },
];

/** The processes of the installation: who is there, what each has in hand, and who is on the way out. */
export function WorkersBoard() {
  const { data, error, refetch } = useQuery(workersQuery);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <CardSkeleton cards={3} height={96} />;
  const there = data.results.filter((each) => each.alive);
  const running = there.filter((each) => each.kind !== 'web');
  return (
    <>
      <section className={classes.tiles} data-columns="3" aria-label="Processes">
        <Tile
          status={running.length === 0 ? 'failed' : undefined}
          label="Execute runs"
          value={running.length}
          note={running.length === 0 ? 'runs are accepted, and wait' : 'processes that are alive'}
        />
        <Tile
          label="Runs in hand"
          value={sum(running)}
          note={
            data.resting === null
              ? 'for operators'
              : `${data.resting} more wait for a person or a time`
          }
        />
        <Tile
          label="Versions"
          value={versions(there).length}
          note={versions(there).join(' and ') || 'nobody is there'}
        />
      </section>
      {data.results.length === 0 ? (
        <EmptyState
          icon={IconServer}
          title="No process has said that it is there"
          text="The server that answers you should be in this list."
        />
      ) : (
        <DataTable
          label="Processes"
          rows={data.results}
          columns={columns}
          keyOf={(worker) => worker.id}
        />
      )}
    </>
  );
}

/** All runs in hand, a dash for who may not know. */
function sum(workers: readonly WorkerRow[]): number | string {
  const runs = workers.map((each) => each.runs);
  return runs.includes(null) ? '–' : runs.reduce<number>((all, each) => all + (each ?? 0), 0);
}

import { IconServer } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type WorkerRow, workersQuery } from '../../../api/http/boards.ts';
import { processName } from '../../../api/http/boards.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { CardSkeleton } from '../../../ui/page/Skeletons.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import classes from '../dashboard.module.css';
import { Tile } from '../Tile.tsx';
import { Standing } from './Standing.tsx';
import { duties, elsewhere, heldBy, heldWords, restingWords, versions } from './words.ts';

const columns: Column<WorkerRow>[] = [
  { id: 'name', label: 'Process', cell: processName },
  { id: 'duties', label: 'What it does', wide: true, cell: ({ kind }) => duties(kind) },
  {
    id: 'runs',
    label: 'Runs in hand',
    align: 'right',
    cell: (worker) => (worker.kind === 'web' ? '–' : <InHand worker={worker} />),
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
  const executing = there.filter((each) => each.kind !== 'web');
  const all = data.results.reduce((sum, { runs }) => sum + (runs ?? 0), 0);
  return (
    <>
      <section className={classes.tiles} data-columns="3" aria-label="Processes">
        <Tile
          status={executing.length === 0 ? 'failed' : undefined}
          label="Execute runs"
          value={executing.length}
          note={executing.length === 0 ? 'runs are accepted, and wait' : 'processes that are alive'}
        />
        <Tile
          label="Runs in hand"
          value={data.held_here}
          to={heldBy('any')}
          note={heldWords(data.held_here, all)}
          before={{
            text: restingWords(data.resting_here),
            to: heldBy('-'),
          }}
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

/** How many runs a process has in hand; those that may be listed lead to their list. */
function InHand({ worker }: { worker: WorkerRow }) {
  const more = elsewhere(worker);
  return (
    <>
      <Link to={heldBy(worker.id)} title="The runs of this workspace that it has in hand">
        {worker.runs_here}
      </Link>
      {more ? <span className={classes.quiet}> {more}</span> : null}
    </>
  );
}

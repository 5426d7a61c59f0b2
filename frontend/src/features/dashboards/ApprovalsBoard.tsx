import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Approvals, approvalsQuery, type AskedRow } from '../../api/http/boards.ts';
import { useBell } from '../../api/live/useBell.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatDuration } from '../../ui/format/format.ts';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { CardSkeleton } from '../../ui/page/Skeletons.tsx';
import { against, BoardControls, percent, rangeName, Tile, useBoardFilter } from './boardParts.tsx';
import classes from './dashboard.module.css';
import pages from '../../ui/page/pages.module.css';

/** How people decide: what waits, how long it takes, what becomes of it. */
export function ApprovalsBoard() {
  useBell('inbox', 'overview');
  const [filter, change] = useBoardFilter();
  const board = useQuery({
    ...approvalsQuery(filter),
    placeholderData: (before: Approvals | undefined) => before,
  });
  return (
    <>
      <BoardControls board="approvals" filter={filter} change={change} />
      {board.error && !board.data ? (
        <ErrorState error={board.error} onRetry={() => void board.refetch()} />
      ) : null}
      {!board.data && !board.error ? <CardSkeleton cards={4} height={96} /> : null}
      {board.data ? <Board data={board.data} hours={filter.hours} /> : null}
    </>
  );
}

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));

function Board({ data, hours }: { data: Approvals; hours: string }) {
  const { total, before } = data;
  return (
    <>
      <section className={classes.tiles} data-columns="4" aria-label="Approvals">
        <Tile
          status="waiting"
          label="Open"
          value={data.open}
          note={data.oldest_at ? 'wait for a decision' : 'nothing waits'}
          to="/inbox?kind=approval"
        />
        <Tile
          label="Overdue"
          value={data.overdue}
          note="an hour left, or reminded"
          to="/inbox?view=overdue"
        />
        <Tile
          label={`Decided, ${rangeName(hours)}`}
          value={total.decided}
          note={against(total.decided, before.decided, String)}
          to="/inbox?state=done"
        />
        <Tile
          label="Time to decide, median"
          value={duration(total.median_ms)}
          note={
            against(total.median_ms, before.median_ms, formatDuration) ??
            'from the question to the decision'
          }
        />
        <Tile
          label="Time to decide, 95 %"
          value={duration(total.p95_ms)}
          note={against(total.p95_ms, before.p95_ms, formatDuration) ?? 'all but the slowest'}
        />
        <Tile
          label="Approved with edits"
          value={percent(total.edit_rate)}
          note={
            against(total.edit_rate, before.edit_rate, percent) ??
            `${total.edited} of ${total.decided}`
          }
        />
        <Tile
          label="Rejected"
          value={percent(total.rejection_rate)}
          note={
            against(total.rejection_rate, before.rejection_rate, percent) ??
            `${total.rejected} of ${total.decided}`
          }
        />
        <Tile
          label="Expired"
          value={percent(total.expiry_rate)}
          note={
            against(total.expiry_rate, before.expiry_rate, percent) ??
            `${total.expired} ran out of time`
          }
        />
      </section>
      <section className={classes.box} aria-label="By who is asked">
        <header className={classes.boxHead}>
          <h2>By who is asked</h2>
          {data.oldest_at ? (
            <span className={classes.aside}>
              the oldest open one is from <RelativeTime at={data.oldest_at} />
            </span>
          ) : null}
        </header>
        {data.by_asked.length === 0 ? (
          <EmptyState
            icon={IconInbox}
            title="No approvals yet"
            text="Approvals that wait or were decided in this time are counted here by who was asked."
          />
        ) : (
          <DataTable
            label="Approvals by who is asked"
            rows={data.by_asked}
            columns={columns}
            keyOf={(row) => row.asked}
          />
        )}
      </section>
    </>
  );
}

const KIND: Record<string, string> = { group: 'group', role: 'role', user: 'person' };

function who(row: AskedRow) {
  if (row.asked === 'anyone') return 'Whoever may decide by role';
  return (
    <>
      {row.name} <span className={pages.dim}>· {KIND[row.asked.split(':')[0] ?? ''] ?? ''}</span>
    </>
  );
}

const columns: Column<AskedRow>[] = [
  { id: 'who', label: 'Asked', cell: who },
  { id: 'open', label: 'Open', align: 'right', width: 80, cell: (row) => row.open },
  {
    id: 'overdue',
    label: 'Overdue',
    align: 'right',
    width: 90,
    wide: true,
    cell: (row) => row.overdue,
  },
  {
    id: 'decided',
    label: 'Decided',
    align: 'right',
    width: 90,
    wide: true,
    cell: (row) => row.decided,
  },
  {
    id: 'median',
    label: 'Median',
    align: 'right',
    width: 100,
    cell: (row) => duration(row.median_ms),
  },
  {
    id: 'p95',
    label: '95 %',
    align: 'right',
    width: 120,
    wide: true,
    cell: (row) => duration(row.p95_ms),
  },
  {
    id: 'edits',
    label: 'Edited',
    align: 'right',
    width: 90,
    wide: true,
    cell: (row) => percent(row.edit_rate),
  },
  {
    id: 'rejected',
    label: 'Rejected',
    align: 'right',
    width: 90,
    wide: true,
    cell: (row) => percent(row.rejection_rate),
  },
  {
    id: 'expired',
    label: 'Expired',
    align: 'right',
    width: 90,
    wide: true,
    cell: (row) => row.expired,
  },
];

import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  type Approvals,
  approvalsQuery,
  type AskedRow,
  type BoardFilter,
} from '../../api/http/boards.ts';
import { useBell } from '../../api/live/useBell.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatDuration } from '../../ui/format/format.ts';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { CardSkeleton } from '../../ui/page/Skeletons.tsx';
import { BoardControls, useBoardFilter } from './boardParts.tsx';
import classes from './dashboard.module.css';
import { Reviewers } from './reviewers/Reviewers.tsx';
import { itemsAddress, rangeName, stretchBefore, stretchName } from './range/range.ts';
import { against, percent, Tile } from './Tile.tsx';
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
      {board.data ? <Board data={board.data} filter={filter} /> : null}
      <Reviewers filter={filter} />
    </>
  );
}

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));

/** What the decided ones of a stretch have in common, as the inbox takes it. */
const closed = (stretch: { since: string; until: string }, outcome: string) => ({
  state: 'done',
  outcome,
  closed_since: stretch.since,
  closed_until: stretch.until,
});

function Board({ data, filter }: { data: Approvals; filter: BoardFilter }) {
  const { total, before } = data;
  const earlier = stretchBefore(data);
  const to = (outcome: string) => itemsAddress(filter, closed(data, outcome));
  const was = (text: string | undefined, outcome: string) =>
    text === undefined
      ? undefined
      : {
          text,
          to: itemsAddress(filter, closed(earlier, outcome)),
          when: stretchName(earlier),
        };
  return (
    <>
      <section className={classes.tiles} data-columns="4" aria-label="Approvals">
        <Tile
          status="waiting"
          label="Open"
          value={data.open}
          note={data.oldest_at ? 'wait for a decision' : 'nothing waits'}
          to={itemsAddress(filter, {})}
        />
        <Tile
          label="Late or due soon"
          value={data.overdue}
          note="within the hour, or reminded of"
          to={itemsAddress(filter, { late: 'true' })}
        />
        <Tile
          label={`Decided, ${rangeName(filter)}`}
          value={total.decided}
          before={was(against(total.decided, before.decided, String), 'decided')}
          to={to('decided')}
        />
        <Tile
          label="Time to decide, median"
          value={duration(total.median_ms)}
          note={before.median_ms === null ? 'from the question to the decision' : undefined}
          before={was(against(total.median_ms, before.median_ms, formatDuration), 'decided')}
          to={to('decided')}
        />
        <Tile
          label="Time to decide, 95 %"
          value={duration(total.p95_ms)}
          note={before.p95_ms === null ? 'all but the slowest' : undefined}
          before={was(against(total.p95_ms, before.p95_ms, formatDuration), 'decided')}
          to={to('decided')}
        />
        <Tile
          label="Approved with edits"
          value={percent(total.edit_rate)}
          note={`${total.edited} of ${total.decided}`}
          before={was(against(total.edit_rate, before.edit_rate, percent), 'edited')}
          to={to('edited')}
        />
        <Tile
          label="Rejected"
          value={percent(total.rejection_rate)}
          note={`${total.rejected} of ${total.decided}`}
          before={was(against(total.rejection_rate, before.rejection_rate, percent), 'rejected')}
          to={to('rejected')}
        />
        <Tile
          label="Expired"
          value={percent(total.expiry_rate)}
          note={`${total.expired} ran out of time`}
          before={was(against(total.expiry_rate, before.expiry_rate, percent), 'expired')}
          to={to('expired')}
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
            columns={columnsOf(data, filter)}
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
      <bdi>{row.name}</bdi>{' '}
      <span className={pages.dim}>· {KIND[row.asked.split(':')[0] ?? ''] ?? ''}</span>
    </>
  );
}

/** A count that leads to what it counts; nothing is behind a zero. */
const counted = (count: number, to: string) => (count > 0 ? <Link to={to}>{count}</Link> : 0);

function columnsOf(data: Approvals, filter: BoardFilter): Column<AskedRow>[] {
  const open = (row: AskedRow, more = {}) => itemsAddress(filter, { named: row.asked, ...more });
  const done = (row: AskedRow, outcome: string) => open(row, closed(data, outcome));
  const figure = { align: 'right', width: 90, wide: true } as const;
  return [
    { id: 'who', label: 'Asked', cell: who },
    { ...figure, id: 'open', label: 'Open', wide: false, cell: (r) => counted(r.open, open(r)) },
    {
      ...figure,
      id: 'overdue',
      label: 'Late or due soon',
      width: 120,
      cell: (r) => counted(r.overdue, open(r, { late: 'true' })),
    },
    {
      ...figure,
      id: 'decided',
      label: 'Decided',
      cell: (r) => counted(r.decided, done(r, 'decided')),
    },
    { ...figure, id: 'median', label: 'Median', wide: false, cell: (r) => duration(r.median_ms) },
    { ...figure, id: 'p95', label: '95 %', cell: (r) => duration(r.p95_ms) },
    { ...figure, id: 'edits', label: 'Edited', cell: (r) => counted(r.edited, done(r, 'edited')) },
    {
      ...figure,
      id: 'rejected',
      label: 'Rejected',
      cell: (r) => counted(r.rejected, done(r, 'rejected')),
    },
    {
      ...figure,
      id: 'expired',
      label: 'Expired',
      cell: (r) => counted(r.expired, done(r, 'expired')),
    },
  ];
}

import { SegmentedControl } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Bar,
  type BoardFilter,
  type Ending,
  type Operations,
  operationsQuery,
} from '../../api/http/boards.ts';
import { overviewQuery } from '../../api/http/lists.ts';
import type { Overview } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatDuration, formatUsd } from '../../ui/format/format.ts';
import { CardSkeleton } from '../../ui/page/Skeletons.tsx';
import { against, BoardControls, percent, rangeName, Tile, useBoardFilter } from './boardParts.tsx';
import { BreakerBox } from './BreakerBox.tsx';
import classes from './dashboard.module.css';
import { HourChart, HourTable } from './HourChart.tsx';
import { Alarms, Waits, Workers } from './OperationsLists.tsx';

/** How the engine is doing: what runs, ends, waits and is stuck. */
export function OperationsBoard() {
  useBell('runs', 'overview');
  useBell('inbox', 'overview');
  const [filter, change] = useBoardFilter();
  const board = useQuery({
    ...operationsQuery(filter),
    placeholderData: (before: Operations | undefined) => before,
  });
  const { data: overview } = useQuery(overviewQuery);
  return (
    <>
      <BoardControls board="operations" filter={filter} change={change} />
      {board.error && !board.data ? (
        <ErrorState error={board.error} onRetry={() => void board.refetch()} />
      ) : null}
      {!board.data && !board.error ? <CardSkeleton cards={5} height={96} /> : null}
      {board.data ? <Boards data={board.data} filter={filter} overview={overview} /> : null}
    </>
  );
}

interface BoardsProps {
  data: Operations;
  filter: BoardFilter;
  overview: Overview | undefined;
}

/** Where the runs are listed that ended in a stretch, in one way if `status` says so. */
export function endedAddress(
  stretch: { since: string; until: string },
  filter: BoardFilter,
  status?: string,
): string {
  const query = new URLSearchParams({
    ...(status ? { status } : {}),
    ended_since: stretch.since,
    ended_until: stretch.until,
    ...(filter.graph ? { graph: filter.graph } : {}),
  });
  return `/runs?${query.toString()}`;
}

function Boards({ data, filter, overview }: BoardsProps) {
  return (
    <>
      <Alarms alarms={data.alarms} />
      <Now data={data} overview={overview} />
      <Ended data={data} filter={filter} />
      <div className={classes.grid2}>
        <RunsBox data={data} filter={filter} />
        <div className={classes.stack}>
          <Waits waits={data.waits} />
          <Workers workers={data.workers} />
        </div>
      </div>
      <BreakerBox />
    </>
  );
}

function Now({ data: { queue }, overview }: { data: Operations; overview: Overview | undefined }) {
  return (
    <section className={classes.tiles} aria-label="Now">
      <Tile
        status="running"
        label="Running"
        value={overview?.runs.running ?? '–'}
        note={`${queue.running} ${queue.running === 1 ? 'step' : 'steps'} under way`}
        to="/runs?status=running,queued,ending"
      />
      <Tile
        status="waiting"
        label="Waiting"
        value={overview?.runs.waiting ?? '–'}
        note={overview ? `${overview.open_interrupts} open in the inbox` : undefined}
        to="/runs?status=waiting"
      />
      <Tile
        status="queued"
        label="Queue"
        value={queue.depth}
        note={
          queue.oldest_ms === null
            ? 'nothing waits for its turn'
            : `${queue.depth === 1 ? 'step' : 'steps'} ready, the oldest for ${formatDuration(queue.oldest_ms)}`
        }
        {...(queue.depth > 0 ? { to: '/runs?waiting=turn' } : {})}
      />
      <Tile
        label="Retrying"
        value={queue.retrying}
        note={queue.retrying === 0 ? 'no step is being tried again' : 'steps that are tried again'}
      />
      <Tile
        label="Spend today"
        value={overview ? formatUsd(overview.spend_today_usd) : '–'}
        note={overview ? `${formatUsd(overview.spend_month_usd)} this month` : undefined}
        to="/dashboard/spend"
      />
    </section>
  );
}

function Ended({ data, filter }: { data: Operations; filter: BoardFilter }) {
  const { total, before } = data;
  const range = rangeName(filter.hours);
  const bad = total.failed + total.timeout;
  return (
    <section className={classes.tiles} aria-label={`The last ${range} against those before`}>
      <Tile
        status="completed"
        label={`Completed, ${range}`}
        value={total.completed}
        note={against(total.completed, before.completed, String)}
        to={endedAddress(data, filter, 'completed')}
      />
      <Tile
        status="failed"
        label={`Failed, ${range}`}
        value={bad}
        note={[
          total.timeout > 0 ? `${total.timeout} timed out` : '',
          against(bad, before.failed + before.timeout, String),
        ]
          .filter(Boolean)
          .join(' · ')}
        to={endedAddress(data, filter, 'failed,timeout')}
      />
      <Tile
        label="Success rate"
        value={percent(total.success_rate)}
        note={
          against(total.success_rate, before.success_rate, percent) ?? 'nothing to compare with'
        }
        to={endedAddress(data, filter, 'completed,failed,timeout')}
      />
      <Tile
        label="Duration, median"
        value={total.p50_ms === null ? '–' : formatDuration(total.p50_ms)}
        note={
          total.p95_ms === null ? 'no run has ended' : `95 % within ${formatDuration(total.p95_ms)}`
        }
        to={endedAddress(data, filter)}
      />
      <Tile
        label="Failed attempts"
        value={total.retries ?? '–'}
        note={
          total.retries === null
            ? 'too many runs to count'
            : (against(total.retries, before.retries, String) ?? '')
        }
      />
    </section>
  );
}

function RunsBox({ data, filter }: { data: Operations; filter: BoardFilter }) {
  const [look, setLook] = useState('chart');
  const none = data.bars.every(
    (bar) => bar.completed + bar.failed + bar.timeout + bar.cancelled === 0,
  );
  const to = (bar: Bar, part?: Ending) => {
    const until = new Date(Date.parse(bar.at) + data.bar_ms).toISOString();
    return endedAddress({ since: bar.at, until }, filter, part);
  };
  return (
    <section className={`${classes.box} ${classes.growing}`} aria-label="Runs that ended">
      <header className={classes.boxHead}>
        <h2>Runs that ended, {lengthName(data.bar_ms)}</h2>
        <SegmentedControl
          value={look}
          onChange={setLook}
          aria-label="Chart or table"
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </header>
      {none ? (
        <EmptyState
          icon={IconChartBar}
          title={`No run ended in the last ${rangeName(filter.hours)}`}
        />
      ) : look === 'chart' ? (
        <HourChart bars={data.bars} length={data.bar_ms} to={to} />
      ) : (
        <HourTable bars={data.bars} length={data.bar_ms} to={to} />
      )}
    </section>
  );
}

const HOUR_MS = 3_600_000;
const lengthName = (ms: number) =>
  ms <= HOUR_MS ? 'per hour' : ms < 24 * HOUR_MS ? `every ${ms / HOUR_MS} hours` : 'per day';

import { SegmentedControl } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Bar,
  type BoardFilter,
  type Ending,
  endings,
  type Operations,
  operationsQuery,
} from '../../api/http/boards.ts';
import { overviewQuery } from '../../api/http/lists.ts';
import { graphsQuery, openCountOf, useSession } from '../../api/http/queries.ts';
import type { Overview } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatDuration, formatUsd } from '../../ui/format/format.ts';
import { CardSkeleton } from '../../ui/page/Skeletons.tsx';
import { OpenAlerts } from './alerts/OpenAlerts.tsx';
import { BoardControls, useBoardFilter } from './boardParts.tsx';
import { BreakerBox } from './trouble/BreakerBox.tsx';
import { CausesBox } from './trouble/CausesBox.tsx';
import classes from './dashboard.module.css';
import { HourChart, HourTable } from './chart/HourChart.tsx';
import { openWords } from './now/words.ts';
import { StartedBox } from './range/StartedBox.tsx';
import { Alarms, Waits } from './OperationsLists.tsx';
import { WorkersBox } from './workers/WorkersBox.tsx';
import {
  endedAddress,
  firstDay,
  rangeName,
  stretchBefore,
  stretchName,
  withGraph,
  withinRange,
} from './range/range.ts';
import { spendAddress } from './spend/spendLinks.ts';
import { against, percent, Tile } from './Tile.tsx';

/** How the engine is doing: what runs, ends, waits and is stuck. */
export function OperationsBoard() {
  useBell('runs', 'overview');
  useBell('inbox', 'overview');
  const [filter, change] = useBoardFilter();
  const board = useQuery({
    ...operationsQuery(filter),
    placeholderData: (before: Operations | undefined) => before,
  });
  const { data: overview } = useQuery(overviewQuery(filter.graph));
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

function Boards({ data, filter, overview }: BoardsProps) {
  return (
    <>
      <OpenAlerts graph={filter.graph} />
      <Alarms alarms={data.alarms} />
      <Now data={data} overview={overview} graph={filter.graph} />
      <Ended data={data} filter={filter} />
      <CausesBox graph={filter.graph} stretch={data} />
      <div className={classes.grid2}>
        <RunsBox data={data} filter={filter} />
        <div className={classes.stack}>
          <Waits waits={data.waits} graph={filter.graph} />
          <StartedBox rows={data.started} stretch={data} filter={filter} />
          <WorkersBox workers={data.workers} isNarrowed={filter.graph !== undefined} />
        </div>
      </div>
      <BreakerBox graph={filter.graph} />
    </>
  );
}

/** `2 steps under way, 6 more runs sleep`. */
function underWay(steps: number, asleep: number): string {
  const told = `${steps} ${steps === 1 ? 'step' : 'steps'} under way`;
  if (asleep === 0) return told;
  return `${told}, ${asleep} more ${asleep === 1 ? 'run sleeps' : 'runs sleep'}`;
}

interface NowProps {
  data: Operations;
  overview: Overview | undefined;
  graph: string | undefined;
}

function Now({ data: { queue }, overview, graph }: NowProps) {
  const { data: session } = useSession();
  const { data: graphs } = useQuery(graphsQuery());
  const { data: mine } = useQuery(openCountOf(graph));
  const slug = graphs?.find(({ id }) => id === graph)?.slug;
  const spent = (since: string, until: string) => spendAddress({ since, until, graph: slug });
  const today = firstDay(1, session?.workspace?.settings.timezone ?? 'UTC');
  return (
    <section className={classes.tiles} aria-label="Now">
      <Tile
        status="running"
        label="Running"
        value={overview?.runs.running ?? '–'}
        note={underWay(queue.running, overview?.runs.asleep ?? 0)}
        to={withGraph('/runs?status=running,queued,ending&awake=true', graph)}
      />
      <Tile
        status="waiting"
        label="Waiting"
        value={overview?.runs.waiting ?? '–'}
        note={overview ? openWords(overview.open_interrupts, mine, overview.open_tests) : undefined}
        to={withGraph('/runs?status=waiting', graph)}
      />
      <Tile
        status="queued"
        label="Queue"
        value={queue.runs}
        note={
          queue.oldest_ms === null
            ? 'nothing waits for its turn'
            : `${queue.depth} ${queue.depth === 1 ? 'step' : 'steps'} ready, the oldest for ${formatDuration(queue.oldest_ms)}`
        }
        to={queue.runs > 0 ? withGraph('/runs?waiting=turn', graph) : undefined}
      />
      <Tile
        label="Retrying"
        value={queue.retrying_runs}
        note={
          queue.retrying_runs === 0
            ? 'no step is being tried again'
            : 'runs with a step that is tried again'
        }
        to={queue.retrying_runs > 0 ? withGraph('/runs?waiting=retry', graph) : undefined}
      />
      <Tile
        label="Spend today"
        value={overview ? formatUsd(overview.spend_today_usd) : '–'}
        before={
          overview
            ? {
                text: `${formatUsd(overview.spend_month_usd)} this month`,
                to: spent(`${today.slice(0, 8)}01`, today),
              }
            : undefined
        }
        to={spent(today, today)}
      />
    </section>
  );
}

/** What the success rate counts: no tests of a draft. */
const PUBLISHED = { tests: 'false' };
const SLOWEST_FIRST = { ordering: '-duration' };

function Ended({ data, filter }: { data: Operations; filter: BoardFilter }) {
  const { total, before } = data;
  const range = rangeName(filter);
  const [bad, badBefore] = [total, before].map((each) => each.failed + each.timeout) as [
    number,
    number,
  ];
  const earlier = stretchBefore(data);
  const was = (text: string | undefined, status: string, more?: Record<string, string>) =>
    text === undefined
      ? undefined
      : { text, to: endedAddress(earlier, filter, status, more), when: stretchName(earlier) };
  const tried = (stretch: { since: string; until: string }) =>
    `/runs?${new URLSearchParams({
      ...stretch,
      tried: 'true',
      ...(filter.graph ? { graph: filter.graph } : {}),
    }).toString()}`;
  return (
    <section className={classes.tiles} aria-label={`${range}, against the stretch before`}>
      <Tile
        status="completed"
        label={`Completed, ${range}`}
        value={total.completed}
        before={was(against(total.completed, before.completed, String), 'completed')}
        to={endedAddress(data, filter, 'completed')}
      />
      <Tile
        status="failed"
        label={`Failed, ${range}`}
        value={bad}
        note={total.timeout > 0 ? `${total.timeout} timed out` : undefined}
        before={was(against(bad, badBefore, String), 'failed,timeout')}
        to={endedAddress(data, filter, 'failed,timeout')}
      />
      {total.rejected + before.rejected > 0 ? (
        <Tile
          status="rejected"
          label={`Rejected, ${range}`}
          value={total.rejected}
          note="by people: a decision, no failure"
          before={was(against(total.rejected, before.rejected, String), 'rejected')}
          to={endedAddress(data, filter, 'rejected')}
        />
      ) : null}
      <Tile
        label="Success rate"
        value={percent(total.success_rate)}
        note="of published runs"
        before={was(
          against(total.success_rate, before.success_rate, percent),
          'completed,failed,timeout',
          PUBLISHED,
        )}
        to={endedAddress(data, filter, 'completed,failed,timeout', PUBLISHED)}
      />
      <Tile
        label="Duration, median"
        value={total.p50_ms === null ? '–' : formatDuration(total.p50_ms)}
        note={
          total.p95_ms === null ? 'no run has ended' : `95 % within ${formatDuration(total.p95_ms)}`
        }
        before={was(
          against(total.p50_ms, before.p50_ms, formatDuration),
          'completed,failed,timeout',
          SLOWEST_FIRST,
        )}
        to={endedAddress(data, filter, 'completed,failed,timeout', SLOWEST_FIRST)}
      />
      <Tile
        label="Runs with failed attempts"
        value={total.retried_runs ?? '–'}
        note={
          total.retried_runs === null
            ? 'too many runs to count'
            : total.retries
              ? `${total.retries} ${total.retries === 1 ? 'try' : 'tries'} of a step failed`
              : 'no step failed and was tried again'
        }
        before={
          before.retried_runs === null
            ? undefined
            : {
                text: against(total.retried_runs, before.retried_runs, String) ?? '',
                to: tried(earlier),
                when: stretchName(earlier),
              }
        }
        to={total.retried_runs ? tried({ since: data.since, until: data.until }) : undefined}
      />
    </section>
  );
}

function RunsBox({ data, filter }: { data: Operations; filter: BoardFilter }) {
  const [look, setLook] = useState('chart');
  const none = data.bars.every((bar) => endings.every((part) => bar[part] === 0));
  const to = (bar: Bar, part?: Ending) =>
    endedAddress({ since: bar.at, until: bar.until }, filter, part);
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
        <EmptyState icon={IconChartBar} title={`No run ended ${withinRange(filter)}`} />
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

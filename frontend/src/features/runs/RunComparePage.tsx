import { Anchor, Button, Select, Switch, Text } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useStore } from 'zustand';
import { runQuery, runsQuery } from '../../api/http/lists.ts';
import type { RunDetail } from '../../api/types/types.ts';
import { semanticDiff } from '../../graph/document/semantic.ts';
import { comparedNodes, type NodePair, type NodeSide, pathOf } from '../../run/reading/compare.ts';
import type { RunView } from '../../run/fold/model.ts';
import { labelOf } from '../../run/reading/timeline.ts';
import classes from './control/forks.module.css';
import { RunContext } from '../../liverun/RunContext.ts';
import { useLiveRun } from '../../liverun/useLiveRun.ts';
import { ValueView } from '../../liverun/ValueView.tsx';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatDuration, formatExact, formatTokens, formatUsd } from '../../ui/format/format.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { PageSkeleton } from '../../ui/page/Skeletons.tsx';
import { usePageTitle } from '../../ui/page/usePageTitle.ts';
import { shownStatus } from '../../ui/status.ts';
import { StatusBadge, StatusIcon } from '../../ui/StatusBadge.tsx';
import { ChangeList } from '../../canvas/ChangeList.tsx';

/** `/runs/compare?a=&b=`: two runs side by side: their paths, outputs and spend. */
export default function RunComparePage() {
  const [params, setParams] = useSearchParams();
  usePageTitle('Compare runs');
  const a = params.get('a') ?? '';
  const b = params.get('b') ?? '';
  const first = useQuery({ ...runQuery(a), enabled: a !== '' });
  const second = useQuery({ ...runQuery(b), enabled: b !== '' });
  const error = first.error ?? second.error;
  if (a === '')
    return (
      <EmptyState
        level={1}
        icon={IconArrowsDiff}
        title="Compare which runs?"
        text="Open a run, choose Compare there, and then the other run."
        action={
          <Button component={Link} to="/runs" variant="default">
            All runs
          </Button>
        }
      />
    );
  if (error)
    return (
      <>
        <PageHeader title="Compare runs" />
        <ErrorState error={error} />
      </>
    );
  if (!first.data) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="Compare runs" />
      <div className={classes.compare}>
        <Other run={first.data} value={b} onPick={(id) => setParams({ a, b: id })} />
        {b === '' ? (
          <Text size="sm" c="dimmed">
            Choose the run to compare with.
          </Text>
        ) : second.data ? (
          <Pair key={`${a}${b}`} a={first.data} b={second.data} />
        ) : (
          <PageSkeleton />
        )}
      </div>
    </>
  );
}

function Other({
  run,
  value,
  onPick,
}: {
  run: RunDetail;
  value: string;
  onPick: (id: string) => void;
}) {
  const { data } = useInfiniteQuery(runsQuery({ graph: run.graph.id }));
  const options = (data?.pages ?? [])
    .flatMap((page) => page.results)
    .filter((other) => other.id !== run.id)
    .map((other) => ({
      value: other.id,
      label: `${formatExact(new Date(other.started_at))}, ${other.status}`,
    }));
  const known =
    value === '' || options.some((option) => option.value === value)
      ? options
      : [{ value, label: `Run ${value.slice(0, 8)}` }, ...options];
  return (
    <Select
      label={`Compare ${run.graph.name} of ${formatExact(new Date(run.started_at))} with`}
      placeholder="Another run of this workflow"
      data={known}
      value={value || null}
      allowDeselect={false}
      searchable
      maw={420}
      onChange={(id) => id && onPick(id)}
    />
  );
}

function Pair({ a, b }: { a: RunDetail; b: RunDetail }) {
  const left = useLiveRun(a.id, { live: false });
  const right = useLiveRun(b.id, { live: false });
  const one = useStore(left.store, (state) => state.view);
  const other = useStore(right.store, (state) => state.view);
  const [onlyChanged, setOnlyChanged] = useState(true);
  const pairs = useMemo(
    () => comparedNodes({ view: one, document: a.document }, { view: other, document: b.document }),
    [one, other, a.document, b.document],
  );
  const changes = useMemo(() => semanticDiff(a.document, b.document), [a.document, b.document]);
  const shown = onlyChanged ? pairs.filter((pair) => pair.differs) : pairs;
  if (left.error || right.error) return <ErrorState error={left.error ?? right.error} />;
  return (
    <>
      <div className={classes.sides}>
        <Side name="A" run={a} view={one} fork={a.forked_from?.run_id === b.id ? 'B' : null} />
        <Side name="B" run={b} view={other} fork={b.forked_from?.run_id === a.id ? 'A' : null} />
      </div>
      {changes.length > 0 ? (
        <section className={classes.section}>
          <h2>The workflow changed</h2>
          <ChangeList changes={changes} />
        </section>
      ) : null}
      <section className={classes.section} aria-label="Nodes">
        <h2>Nodes</h2>
        <Switch
          size="xs"
          mb="sm"
          checked={onlyChanged}
          label={`Only where they differ (${pairs.filter((pair) => pair.differs).length} of ${pairs.length})`}
          onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
        />
        <div className={classes.scroll} role="region" aria-label="What each node did" tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>Node</th>
                <th>A</th>
                <th>Spend</th>
                <th>B</th>
                <th>Spend</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((pair) => (
                <PairRow key={pair.node} pair={pair} a={a.id} b={b.id} />
              ))}
            </tbody>
          </table>
        </div>
        {shown.length === 0 ? (
          <Text size="sm" c="dimmed" mt="sm">
            Every node did the same in both.
          </Text>
        ) : null}
      </section>
    </>
  );
}

function Side({
  name,
  run,
  view,
  fork,
}: {
  name: string;
  run: RunDetail;
  view: RunView;
  fork: string | null;
}) {
  const labels = new Map(run.document.nodes.map((node) => [node.id, node.label || node.id]));
  const named = (key: string) => labelOf(key, (id) => labels.get(id) ?? id);
  return (
    <section className={classes.side} aria-label={`Run ${name}`}>
      <div className={classes.sideHead}>
        <strong>{name}</strong>
        <StatusBadge status={shownStatus(run)} />
        <Anchor component={Link} to={`/runs/${run.id}`} size="sm" className="gw-truncate">
          Open the run
        </Anchor>
      </div>
      <Text size="xs" c="dimmed">
        {run.is_draft ? 'draft' : `version ${run.version ?? '?'}`} ·{' '}
        <RelativeTime at={run.started_at} />
        {run.duration_ms === null ? '' : ` · ${formatDuration(run.duration_ms)}`}
        {fork ? ` · forked from ${fork}` : ''}
      </Text>
      <Text size="sm" className="gw-num">
        {formatUsd(run.spend.usd)} · {formatTokens(run.spend.tokens)} tokens
      </Text>
      <Text size="xs" c="dimmed">
        {pathOf(view).map(named).join(' → ') || 'No step ended.'}
      </Text>
      {run.error ? (
        <Text size="sm" c="red">
          {run.error.message}
        </Text>
      ) : null}
    </section>
  );
}

function Cell({ side, run }: { side: NodeSide; run: string }) {
  if (side.status === null) return <span className={classes.quiet}>not reached</span>;
  return (
    <RunContext value={run}>
      <span className={classes.sideHead}>
        <StatusIcon status={side.status as Parameters<typeof StatusIcon>[0]['status']} size={15} />
        {side.visits > 1 ? <span className={classes.quiet}>{side.visits}×</span> : null}
      </span>
      <ValueView value={side.output} empty="no output" />
    </RunContext>
  );
}

const spendOf = ({ usd, tokens }: NodeSide) =>
  tokens > 0 ? `${formatUsd(usd)} · ${formatTokens(tokens)}` : '–';

function PairRow({ pair, a, b }: { pair: NodePair; a: string; b: string }) {
  return (
    <tr data-differs={pair.differs}>
      <td>
        <strong>{pair.label}</strong>
      </td>
      <td>
        <Cell side={pair.a} run={a} />
      </td>
      <td data-num>{spendOf(pair.a)}</td>
      <td>
        <Cell side={pair.b} run={b} />
      </td>
      <td data-num>{spendOf(pair.b)}</td>
    </tr>
  );
}

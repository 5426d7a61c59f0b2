import { Button, Select, SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import {
  type Cause,
  causesQuery,
  type CauseOrder,
  type CauseState,
} from '../../../api/http/runs/causes.ts';
import { totalOf } from '../../../api/http/lists.ts';
import { graphsQuery } from '../../../api/http/queries.ts';
import { useBell } from '../../../api/live/useBell.ts';
import { CsvButton } from '../../../ui/CsvButton.tsx';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import pages from '../../../ui/page/pages.module.css';
import { ListFrame } from '../../../ui/table/ListFrame.tsx';
import { BulkDialog } from '../bulk/BulkDialog.tsx';
import { RunsTabs } from '../list/RunsTabs.tsx';
import { useListKeys } from '../list/useListKeys.ts';
import { CauseRow } from './CauseRow.tsx';
import classes from './causes.module.css';
import { useCauseChange } from './useCauseChange.ts';
import { leftOf } from './Waiting.tsx';

const STATES: { value: CauseState; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'muted', label: 'Muted' },
  { value: 'resolved', label: 'Resolved' },
];
const ORDERS: { value: CauseOrder; label: string }[] = [
  { value: '-last', label: 'Latest first' },
  { value: '-count', label: 'Most runs first' },
  { value: 'first', label: 'Oldest first' },
];
const NONE: Record<CauseState, { title: string; text: string }> = {
  open: {
    title: 'Nothing to look after',
    text: 'When runs fail, those that failed alike stand here together: how often, since when, and what to do about it.',
  },
  muted: { title: 'Nothing is muted', text: 'A muted cause is left out of the list for a while.' },
  resolved: {
    title: 'Nothing is resolved',
    text: 'A resolved cause opens again by itself when a later run fails alike.',
  },
};

/** Why runs failed: one row for all that failed alike. */
export default function CausesPage() {
  const [params, setParams] = useSearchParams();
  const state = STATES.find(({ value }) => value === params.get('state'))?.value ?? 'open';
  const ordering = ORDERS.find(({ value }) => value === params.get('ordering'))?.value ?? '-last';
  const graph = params.get('graph');
  const set = (name: string, value: string | null) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  const { data: graphs } = useQuery(graphsQuery());
  useBell('runs', 'runs');
  const filter = { state, ordering, ...(graph ? { graph } : {}) };
  const list = useInfiniteQuery(causesQuery(filter));
  const { data: mutedOnes } = useInfiniteQuery(
    causesQuery({ state: 'muted', ...(graph ? { graph } : {}) }),
  );
  const muted = totalOf(mutedOnes?.pages);
  const causes = useMemo(() => list.data?.pages.flatMap((page) => page.results) ?? [], [list.data]);
  return (
    <div className={pages.page}>
      <PageHeader title="Causes" text="Runs that failed alike, together.">
        <CsvButton path="causes" query={filter} />
        <RunsTabs at="/runs/causes" />
      </PageHeader>
      <div className={pages.filters}>
        <SegmentedControl
          className={classes.states}
          value={state}
          onChange={(next) => set('state', next === 'open' ? null : next)}
          aria-label="State"
          data={STATES.map((each) =>
            each.value === 'muted' && muted && muted !== '0'
              ? { ...each, label: `Muted (${muted})` }
              : each,
          )}
        />
        <Select
          aria-label="Workflow"
          placeholder="Any workflow"
          clearable
          searchable
          data={(graphs ?? []).map((each) => ({ value: each.id, label: each.name }))}
          value={graph}
          onChange={(next) => set('graph', next)}
        />
        <Select
          aria-label="Order"
          allowDeselect={false}
          data={ORDERS}
          value={ordering}
          onChange={(next) => set('ordering', next === '-last' ? null : next)}
        />
      </div>
      <div className={pages.body}>
        <ListFrame list={list} none={<EmptyState icon={IconCircleCheck} {...NONE[state]} />}>
          <Causes causes={causes} />
        </ListFrame>
      </div>
    </div>
  );
}

function Causes({ causes }: { causes: readonly Cause[] }) {
  const navigate = useNavigate();
  const [retrying, setRetrying] = useState<readonly Cause[] | null>(null);
  const mutate = useCauseChange();
  const ids = useMemo(() => causes.map((cause) => cause.id), [causes]);
  const open = useCallback((id: string) => void navigate(`/runs?cause=${id}`), [navigate]);
  const more = useCallback(
    (id: string) => {
      const cause = causes.find((each) => each.id === id);
      return cause?.can_change
        ? [
            {
              id: 'causes.retry',
              label: 'Retry its runs',
              group: 'Causes',
              keys: ['R'],
              enabled: () => cause.retryable,
              run: () => setRetrying([cause]),
            },
            {
              id: 'causes.resolve',
              label: 'Resolve it',
              group: 'Causes',
              keys: ['E'],
              run: () => mutate({ id, change: { state: 'resolved' } }),
            },
          ]
        : [];
    },
    [causes, mutate],
  );
  const current = useListKeys({ group: 'Causes', ids, open, more });
  const mendable = causes.filter(
    (each) => each.can_change && each.retryable && each.state === 'open',
  );
  const left = mendable.reduce((sum, cause) => sum + leftOf(cause), 0);
  return (
    <>
      {mendable.length > 1 && left > 0 ? (
        <div className={classes.together}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            onClick={() => setRetrying(mendable)}
          >
            Retry all {left.toLocaleString('en')} runs
          </Button>
        </div>
      ) : null}
      {causes.length > 0 ? (
        <ul className={classes.list} aria-label="Causes of failures">
          {causes.map((cause) => (
            <CauseRow
              key={cause.id}
              cause={cause}
              current={cause.id === current}
              change={(change) => mutate({ id: cause.id, change })}
              retry={() => setRetrying([cause])}
            />
          ))}
        </ul>
      ) : null}
      {retrying ? (
        <BulkDialog
          select={{ cause: retrying.map(({ id }) => id) }}
          action="retry"
          onClose={() => setRetrying(null)}
          onResolve={() => {
            for (const { id } of retrying) mutate({ id, change: { state: 'resolved' } });
          }}
        />
      ) : null}
    </>
  );
}

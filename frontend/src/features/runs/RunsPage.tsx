import { Anchor, Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type RunFilter, runsQuery } from '../../api/http/lists.ts';
import { graphsQuery } from '../../api/http/queries.ts';
import type { RunStatus, RunSummary } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import { personName } from '../inbox/names.ts';
import classes from '../../ui/page/pages.module.css';
import { useNow } from '../../ui/format/useNow.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatDuration, formatTokens } from '../../ui/format/format.ts';
import { Money } from '../../ui/format/Money.tsx';
import { MoreRows } from '../../ui/table/MoreRows.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { statusLook } from '../../ui/status.ts';

const statuses: RunStatus[] = [
  'running',
  'waiting',
  'queued',
  'ending',
  'completed',
  'failed',
  'timeout',
  'cancelled',
];
const HOUR = 3_600_000;
const ages = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];

interface Choice {
  graph: string | null;
  status: string | null;
  hours: string | null;
  search: string;
  ordering: string;
}

const NEWEST = '-started';

/** Rounded to the minute, so that the same choice stays the same question. */
function sinceOf(hours: string | null, now: number): string | undefined {
  return hours === null
    ? undefined
    : new Date(Math.floor((now - Number(hours) * HOUR) / 60_000) * 60_000).toISOString();
}

function useChoice(): [Choice, (part: Partial<Choice>) => void] {
  const [params, setParams] = useSearchParams();
  const choice = {
    graph: params.get('graph'),
    status: params.get('status'),
    hours: params.get('hours'),
    search: params.get('search') ?? '',
    ordering: params.get('ordering') ?? NEWEST,
  };
  const change = (part: Partial<Choice>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(part)) {
          if (value && value !== NEWEST) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  return [choice, change];
}

/** Every run of the workspace, newest first, live. */
export default function RunsPage() {
  const [choice, change] = useChoice();
  useBell('runs', 'runs');
  const now = useNow(true, 60_000);
  const since = sinceOf(choice.hours, now);
  const filter = useMemo<RunFilter>(
    () => ({
      ...(choice.graph ? { graph: choice.graph } : {}),
      ...(choice.status ? { status: choice.status } : {}),
      ...(since ? { since } : {}),
      ...(choice.search ? { search: choice.search } : {}),
      ...(choice.ordering === NEWEST ? {} : { ordering: choice.ordering }),
    }),
    [choice.graph, choice.status, choice.search, choice.ordering, since],
  );
  const list = useInfiniteQuery({ ...runsQuery(filter), placeholderData: (before) => before });
  const rows = list.data?.pages.flatMap((page) => page.results) ?? [];
  const [clears, setClears] = useState(0);
  const clear = () => {
    change({ graph: null, status: null, hours: null, search: '' });
    setClears(clears + 1);
  };
  const filtered = Boolean(choice.graph ?? choice.status ?? choice.hours) || choice.search !== '';
  return (
    <div className={classes.page}>
      <PageHeader title="Runs" />
      <Filters key={clears} choice={choice} change={change} />
      <div className={classes.body}>
        {list.isPending ? <ListSkeleton rows={10} /> : null}
        {list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : null}
        {list.isSuccess && rows.length === 0 ? <NoRuns filtered={filtered} clear={clear} /> : null}
        {rows.length > 0 ? (
          <DataTable
            label="Runs"
            rows={rows}
            columns={columns}
            keyOf={(run) => run.id}
            hrefOf={(run) => `/runs/${run.id}`}
            sorting={{ ordering: choice.ordering, onOrder: (ordering) => change({ ordering }) }}
          />
        ) : null}
        <MoreRows
          list={list}
          label={choice.ordering === NEWEST ? 'Show earlier runs' : 'Show more'}
        />
      </div>
    </div>
  );
}

function Filters({ choice, change }: { choice: Choice; change: (part: Partial<Choice>) => void }) {
  const { data: graphs } = useQuery(graphsQuery());
  const search = useDebouncedCallback((text: string) => change({ search: text }), 250);
  return (
    <div className={classes.filters} role="search">
      <TextInput
        leftSection={<IconSearch size={15} />}
        placeholder="Search id, workflow, input, output, error"
        aria-label="Search runs"
        title="Words, or how they begin, in the first 4,000 characters each of input, output and error; the workflow’s name; the beginning of an id"
        defaultValue={choice.search}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <Select
        aria-label="Workflow"
        placeholder="Any workflow"
        clearable
        searchable
        data={(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name }))}
        value={choice.graph}
        onChange={(graph) => change({ graph })}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={statuses.map((status) => ({ value: status, label: statusLook(status).label }))}
        value={choice.status}
        onChange={(status) => change({ status })}
      />
      <Select
        aria-label="Time"
        placeholder="Any time"
        clearable
        data={ages}
        value={choice.hours}
        onChange={(hours) => change({ hours })}
      />
    </div>
  );
}

function NoRuns({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  if (filtered)
    return (
      <EmptyState
        icon={IconPlayerPlay}
        title="No run matches"
        action={
          <Button variant="default" onClick={clear}>
            Clear the filters
          </Button>
        }
      />
    );
  return (
    <EmptyState
      icon={IconPlayerPlay}
      title="No runs yet"
      text="Open a workflow and press Test run, or start one through the API."
      action={
        <Button component={Link} to="/workflows">
          Go to workflows
        </Button>
      }
    />
  );
}

/** What a run waits for or why it ended, in one line. */
function note(run: RunSummary): string {
  if (run.waiting_for.length > 0) return run.waiting_for.join(', ');
  return run.error ? `${run.error.node ? `${run.error.node}: ` : ''}${run.error.message}` : '';
}

const columns: Column<RunSummary>[] = [
  { id: 'graph', label: 'Workflow', cell: (run) => run.graph.name },
  {
    id: 'status',
    label: 'Status',
    width: 130,
    order: { by: 'status', largestFirst: false },
    cell: (run) => <StatusBadge status={run.status} />,
  },
  {
    id: 'note',
    label: 'Note',
    wide: true,
    cell: (run) => (
      <span className={classes.dim} title={note(run)}>
        {note(run)}
      </span>
    ),
  },
  {
    id: 'version',
    label: 'Version',
    width: 80,
    wide: true,
    cell: (run) => (
      <span className={classes.dim}>{run.is_draft ? 'draft' : `v${run.version ?? '?'}`}</span>
    ),
  },
  {
    id: 'by',
    label: 'Started by',
    width: 140,
    wide: true,
    cell: (run) => (
      <span className={classes.dim}>
        {run.parent_run ? (
          <Anchor
            component={Link}
            to={`/runs/${run.parent_run}`}
            className="above"
            inherit
            underline="always"
          >
            parent run
          </Anchor>
        ) : (
          personName(run.started_by)
        )}
      </span>
    ),
  },
  {
    id: 'at',
    label: 'Started',
    width: 110,
    order: { by: 'started', largestFirst: true },
    cell: (run) => (
      <span className={classes.dim}>
        <RelativeTime at={run.started_at} />
      </span>
    ),
  },
  {
    id: 'duration',
    label: 'Duration',
    width: 100,
    order: { by: 'duration', largestFirst: true },
    align: 'right',
    wide: true,
    cell: (run) => (run.duration_ms === null ? '–' : formatDuration(run.duration_ms)),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: 80,
    order: { by: 'tokens', largestFirst: true },
    align: 'right',
    wide: true,
    cell: (run) => formatTokens(run.spend.tokens),
  },
  {
    id: 'usd',
    label: 'Spend',
    width: 90,
    order: { by: 'spend', largestFirst: true },
    align: 'right',
    wide: true,
    cell: (run) => <Money usd={run.spend.usd} />,
  },
];

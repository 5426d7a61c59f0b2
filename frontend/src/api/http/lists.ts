import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { allRows, rowsOf } from './queries.ts';
import type {
  GraphSummary,
  GraphTemplate,
  Interrupt,
  ItemComment,
  Member,
  Overview,
  Page,
  RunDetail,
  RunSummary,
} from '../types/types.ts';

export interface RunFilter {
  graph?: string;
  status?: string;
  since?: string;
  until?: string;
  ended_since?: string;
  ended_until?: string;
  search?: string;
  node?: string;
  cause?: string;
  person?: string;
  waiting?: string;
  job?: string;
  spent?: string;
  slug?: string;
  code?: string;
  tag?: string;
  source?: string;
  trigger?: string;
  worker?: string;
  tried?: string;
  awake?: string;
  asleep?: string;
  rejected?: string;
  spent_since?: string;
  spent_until?: string;
  spent_at?: string;
  spent_on?: string;
  spent_by?: string;
  unpriced?: string;
  tests?: string;
  ordering?: string;
}
export const inboxViews = [
  'decide',
  'mine',
  'groups',
  'claimed',
  'asked',
  'asks-me',
  'overdue',
  'snoozed',
] as const;
export type InboxView = (typeof inboxViews)[number];
export interface InterruptFilter {
  state: 'open' | 'done';
  view?: InboxView;
  kind?: string;
  /** Of approvals: `human_review` of a step, or `tool_call` of an agent. */
  approval_type?: string;
  graph?: string;
  run?: string;
  min_age_hours?: string;
  min_cost_usd?: string;
  node?: string;
  asked?: string;
  starter?: string;
  /** The id of the trigger that started the run. */
  trigger?: string;
  decided_by?: string;
  search?: string;
  opened_until?: string;
  closed_since?: string;
  closed_until?: string;
  outcome?: string;
  named?: string;
  late?: string;
  reviewer?: string;
  review?: string;
  ordering?: string;
  /** One value that is shown, as `name:value`. */
  field?: string;
  /** Conditions on what is shown, as `name:more:100`, one a line. */
  where?: string;
}
/** What a figure of the dashboard says of the items that it counts. */
export const counting = [
  'opened_until',
  'closed_since',
  'closed_until',
  'outcome',
  'named',
  'late',
  'reviewer',
  'review',
] as const;
/** The filters of the inbox beside its views. */
export const narrowing = [
  ...counting,
  'kind',
  'approval_type',
  'graph',
  'node',
  'asked',
  'starter',
  'trigger',
  'decided_by',
  'search',
  'field',
  'where',
  'min_age_hours',
  'min_cost_usd',
] as const;
export const noNarrowing: Record<string, null> = Object.fromEntries(
  narrowing.map((name) => [name, null]),
);

function asPage<T>(answer: Page<T> | T[]): Page<T> {
  return Array.isArray(answer) ? { results: answer, next: null } : answer;
}

/**
 * How many rows there are in all, as people read it: `68`, or `1,000+` where counting ended; empty while
 * unknown. Those that are `leaving` are not counted.
 */
export function totalOf(pages: readonly Page<unknown>[] | undefined, leaving = 0): string {
  const first = pages?.[0];
  if (first?.total === null || first?.total === undefined) return '';
  if (first.total_is_more) return `${first.total.toLocaleString('en')}+`;
  return Math.max(0, first.total - leaving).toLocaleString('en');
}

export interface GraphFilter {
  search?: string;
  folder?: string;
  ordering?: string;
}

/** Workflows, the one that changed last first unless another order is asked for, a page at a time. */
export const graphPagesQuery = (filter: GraphFilter) =>
  infiniteQueryOptions({
    queryKey: ['graphs', 'pages', filter],
    queryFn: async ({ pageParam }) =>
      asPage(
        await api.get<Page<GraphSummary> | GraphSummary[]>('graphs/', {
          ...filter,
          cursor: pageParam,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

/** Runs, newest first unless another order is asked for, a page at a time. */
export const runsQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ['runs', filter],
    queryFn: async ({ pageParam }) =>
      asPage(
        await api.get<Page<RunSummary> | RunSummary[]>('runs/', { ...filter, cursor: pageParam }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: () => api.get<RunDetail>(`runs/${id}/`),
    // Others that leave the line ring no bell of this run.
    refetchInterval: ({ state: { data } }) => {
      if (data?.status === 'queued') return QUEUE_MS;
      if (data?.status !== 'running') return false;
      return data.waiting_for.length > 0 ? QUEUE_MS : TURN_MS;
    },
  });

const QUEUE_MS = 3_000;
/** A call that begins to wait for its turn is on no log, so nothing rings for it. */
const TURN_MS = 10_000;

/** The inbox, a page at a time; its keys begin with `interrupts`, so a bell refreshes them all. */
export const interruptsQuery = (filter: InterruptFilter) =>
  infiniteQueryOptions({
    queryKey: ['interrupts', 'list', filter],
    queryFn: async ({ pageParam }) =>
      asPage(
        await api.get<Page<Interrupt> | Interrupt[]>('interrupts/', {
          ...filter,
          cursor: pageParam,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

/** For how many seconds one's own decisions can be taken back. */
export const decidingQuery = queryOptions({
  queryKey: ['deciding'],
  queryFn: () => api.get<{ seconds: number }>('deciding/'),
  staleTime: Infinity,
});

export const interruptQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['interrupts', 'one', requestId],
    queryFn: () => api.get<Interrupt>(`interrupts/${requestId}/`),
  });

export const commentsQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['interrupts', 'comments', requestId],
    queryFn: async () =>
      rowsOf(await api.get<Page<ItemComment>>(`interrupts/${requestId}/comments/`)),
  });

/** The workspace at a glance, or one workflow of it. */
export const overviewQuery = (graph?: string) =>
  queryOptions({
    queryKey: ['overview', 'now', graph ?? ''],
    queryFn: () => api.get<Overview>('overview/', graph ? { graph } : {}),
    refetchInterval: 60_000,
  });

export const templatesQuery = queryOptions({
  queryKey: ['graph-templates'],
  queryFn: async () =>
    rowsOf(await api.get<Page<GraphTemplate> | GraphTemplate[]>('graph-templates/')),
  staleTime: Infinity,
});

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => allRows<Member>('members/'),
});

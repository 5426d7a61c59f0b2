import type * as served from '../types/schema.gen.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import type { InterruptKind, RunStatus } from '../types/types.ts';

export const endings = ['completed', 'failed', 'timeout', 'rejected', 'cancelled'] as const;
export type Ending = (typeof endings)[number];
export type Bar = Record<Ending, number> & { at: string; until: string };

export type StartedRow = served.StartedOut;
export type RunTotal = served.RunTotal;

export interface Wait {
  kind: InterruptKind | 'retry' | 'sleep' | 'child_run' | 'call';
  runs: number;
  since: string | null;
  due: string | null;
}
export type WorkerRow = served.WorkerOut;
export type Workers = served.WorkersOut;
/** Stuck runs of one workflow; `runs` names the longest stuck of `count`. */
export interface Alarm {
  graph: string;
  why: 'timer_overdue' | 'silent';
  count: number;
  since: string;
  runs: { id: string; status: RunStatus; since: string }[];
}

/** How the engine is doing (`docs/api.md`). */
export interface Operations {
  since: string;
  until: string;
  bar_ms: number;
  total: RunTotal;
  before: RunTotal;
  bars: Bar[];
  started: StartedRow[];
  queue: served.QueueOut;
  waits: Wait[];
  workers: WorkerRow[];
  alarms: Alarm[];
}

export interface Breaker {
  id: string;
  graph: { id: string; name: string } | null;
  node: string;
  target: string;
  state: 'open' | 'half_open' | 'closed';
  failures: number;
  opened_at: string | null;
}
export interface BreakerList {
  results: Breaker[];
  next: string | null;
  can_reset: boolean;
}

export type DecisionTotal = served.DecisionTotal;
export type AskedRow = served.AskedOut;
export type Approvals = served.ApprovalsOut;
export type ReviewerLine = served.ReviewerLine;
export type Reviewers = served.ReviewersOut;

/** The last hours, or days (`2026-11-22`, both included) where they are given; of one workflow or all. */
export interface BoardFilter {
  hours?: string;
  since?: string;
  until?: string;
  graph?: string;
}

const HALF_MINUTE = 30_000;

export const operationsQuery = (filter: BoardFilter) =>
  queryOptions({
    queryKey: ['overview', 'operations', filter],
    queryFn: () => api.get<Operations>('operations/', { ...filter }),
    refetchInterval: HALF_MINUTE,
  });

export const approvalsQuery = (filter: BoardFilter) =>
  queryOptions({
    queryKey: ['overview', 'approvals', filter],
    queryFn: () => api.get<Approvals>('approvals/', { ...filter }),
    refetchInterval: 2 * HALF_MINUTE,
  });

export const reviewersQuery = (filter: BoardFilter) =>
  queryOptions({
    queryKey: ['overview', 'reviewers', filter],
    queryFn: () => api.get<Reviewers>('approvals/reviewers/', { ...filter }),
    refetchInterval: 2 * HALF_MINUTE,
  });

export const workersQuery = queryOptions({
  queryKey: ['overview', 'workers'],
  queryFn: () => api.get<Workers>('workers/'),
  refetchInterval: HALF_MINUTE / 6,
});

export const breakersQuery = queryOptions({
  queryKey: ['overview', 'breakers'],
  queryFn: () => api.get<BreakerList>('breakers/'),
  refetchInterval: HALF_MINUTE,
});

/** Which process it is: host and number for operators, else a short name. */
export function processName({ host, pid, id }: Pick<WorkerRow, 'host' | 'pid' | 'id'>): string {
  return host ? `${host}, process ${pid ?? '?'}` : `Process ${id.slice(0, 8)}`;
}

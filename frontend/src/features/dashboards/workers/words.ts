import type { WorkerRow } from '../../../api/http/boards.ts';

/** What a process does, in words. */
export function duties(kind: string): string {
  if (kind === 'web') return 'Serves pages';
  return kind === 'worker' ? 'Executes runs' : 'Serves pages and executes runs';
}

/** What a process has in hand beside the runs of this workspace; empty without any, or for who may not know. */
export function elsewhere({ runs, runs_here }: Pick<WorkerRow, 'runs' | 'runs_here'>): string {
  const more = (runs ?? 0) - runs_here;
  return more > 0 ? `and ${more} of other workspaces` : '';
}

/** What runs in hand are, as more or fewer of them run; how many there are beside this workspace's. */
export const heldWords = (here: number, all: number): string =>
  `a process keeps them, running or not${all > here ? ` · ${all} in all workspaces` : ''}`;

/** How many runs beside those no process keeps, as they wait for somebody or something. */
export const restingWords = (runs: number): string =>
  `${runs} more ${runs === 1 ? 'waits' : 'wait'} for a person or a time`;

/** Where the runs are listed that a process has in hand, `any` one, or none (`-`). */
export const heldBy = (worker: string): string => `/runs?worker=${encodeURIComponent(worker)}`;

/** How a process is: `ended` is one whose end was seen by the process after it. */
export function standing(
  worker: Pick<WorkerRow, 'alive' | 'draining' | 'seen_at'>,
): 'alive' | 'ending' | 'ended' | 'silent' {
  if (worker.alive) return worker.draining ? 'ending' : 'alive';
  return Date.parse(worker.seen_at) === 0 ? 'ended' : 'silent';
}

/** The versions of the processes that are alive: more than one while they are replaced. */
export function versions(workers: readonly Pick<WorkerRow, 'alive' | 'version'>[]): string[] {
  return [...new Set(workers.filter((each) => each.alive).map((each) => each.version))]
    .filter(Boolean)
    .sort();
}

import type { WorkerRow } from '../../../api/http/boards.ts';

/** What a process does, in words. */
export function duties(kind: string): string {
  if (kind === 'web') return 'Serves pages';
  return kind === 'worker' ? 'Executes runs' : 'Serves pages and executes runs';
}

/** Which process it is: host and number for operators, else a short name. */
export function nameOf({ host, pid, id }: Pick<WorkerRow, 'host' | 'pid' | 'id'>): string {
  return host ? `${host}, process ${pid ?? '?'}` : `Process ${id.slice(0, 8)}`;
}

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

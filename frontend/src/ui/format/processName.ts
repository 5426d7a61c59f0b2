import type { WorkerRow } from '../../api/http/boards.ts';

/** Which process it is: host and number for operators, else a short name. */
export function processName({ host, pid, id }: Pick<WorkerRow, 'host' | 'pid' | 'id'>): string {
  return host ? `${host}, process ${pid ?? '?'}` : `Process ${id.slice(0, 8)}`;
}

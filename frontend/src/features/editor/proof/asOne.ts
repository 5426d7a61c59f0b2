import type { Cause } from './byCause.ts';

/** A row of the list: a problem, or several alike of which it is the first. */
export interface Row {
  problem: Cause;
  /** How many nodes have it. */
  count: number;
}

/** Tips that say the same of every node that they are about. */
const ALIKE: ReadonlySet<string> = new Set(['NoHumanDescription']);

/** Rows for problems, in order; tips that are alike are one row, at the first of them. */
export function asOne(problems: readonly Cause[]): Row[] {
  const rows = new Map<unknown, Row>();
  for (const problem of problems) {
    const key = ALIKE.has(problem.code) ? problem.code : problem;
    const row = rows.get(key);
    if (row) row.count += 1;
    else rows.set(key, { problem, count: 1 });
  }
  return [...rows.values()];
}

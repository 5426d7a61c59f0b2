/** How many days of runs the server can be told to keep. */
export const MAX_DAYS = 3_650;

export const DAY_MS = 86_400_000;

/** What the field holds, as the setting: null keeps runs for ever. */
export const daysOf = (ms: number | null): number | null => (ms === null ? null : ms / DAY_MS);

/** What becomes of runs whose time is over. */
export type OldRuns = 'archive' | 'delete';

/** For how many days finished runs are kept, null for ever, and what becomes of them then. */
export interface Keeping {
  days: number | null;
  then: OldRuns;
}

/** Whether runs are deleted that are kept or archived now. */
export const keepsFewer = (before: Keeping, after: Keeping): boolean =>
  after.then === 'delete' &&
  after.days !== null &&
  (before.then === 'archive' || before.days === null || after.days < before.days);

/** A number of days in words. */
export const inDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

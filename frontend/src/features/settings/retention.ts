/** How many days of runs the server can be told to keep. */
export const MAX_DAYS = 3_650;

export const DAY_MS = 86_400_000;

/** What the field holds, as the setting: null keeps runs for ever. */
export const daysOf = (ms: number | null): number | null => (ms === null ? null : ms / DAY_MS);

/** Whether runs that are kept now would be deleted; null days are for ever. */
export const keepsFewer = (before: number | null, after: number | null): boolean =>
  after !== null && (before === null || after < before);

/** A number of days in words. */
export const inDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

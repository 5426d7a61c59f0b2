/** Whole seconds until a moment, never less than none. */
export const secondsLeft = (until: number, now: number): number =>
  Math.max(0, Math.round((until - now) / 1_000));

/** `Pay $2,087.70 to Nora?` as it is called in a line of its own: no longer than fits there. */
export const short = (title: string, length = 48): string => {
  const line = title.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
};

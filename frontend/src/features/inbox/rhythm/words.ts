import type { HeldVerb } from './machine.ts';

/** Whole seconds until a moment, never less than none. */
export const secondsLeft = (until: number, now: number): number =>
  Math.max(0, Math.round((until - now) / 1_000));

/** `Pay $2,087.70 to Nora?` as it is called in a line of its own: no longer than fits there. */
export const short = (title: string, length = 48): string => {
  const line = title.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
};

/** `12 s ago`, `3 min ago`; never less than a second. */
export const agoText = (ms: number): string =>
  ms < 90_000
    ? `${Math.max(1, Math.round(ms / 1_000))} s ago`
    : `${Math.round(ms / 60_000).toLocaleString('en')} min ago`;

/** What is held besides the last decision, whatever it says: `and 2 before`, `; before, 1 rejected`. */
export function beforeText(before: readonly { verb: HeldVerb }[], last: HeldVerb): string {
  if (before.length === 0) return '';
  if (before.every(({ verb }) => verb === last)) return ` and ${before.length} before`;
  const count = (verb: HeldVerb) => before.filter((one) => one.verb === verb).length;
  const said = [
    count('approve') > 0 ? `${count('approve')} approved` : '',
    count('reject') > 0 ? `${count('reject')} rejected` : '',
  ];
  return `; before, ${said.filter(Boolean).join(', ')}`;
}

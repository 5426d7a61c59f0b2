const usd = (digits: number) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
const cents = usd(2);
const fine = usd(4);
const finest = usd(6);

/** USD for reading: cents, or as many digits as a small sum needs to be more than zero. `value` is decimal text. */
export function formatUsd(value: string | number): string {
  const amount = Number(value);
  if (!Number.isFinite(amount)) return '–';
  const size = Math.abs(amount);
  if (size === 0 || size >= 1) return cents.format(amount);
  return size >= 0.01 ? fine.format(amount) : finest.format(amount);
}

/** The first word with a capital, but for what is no word: `input.amount`, `gpt-5`, an address. */
export const capital = (text: string): string =>
  /^[a-z]+(?:[\s,:;]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** Token counts for reading: 940, 12.4k, 1.2M, 3B. What would be rounded to a thousand of a unit is one of the next. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trim(count / 1000)}k`;
  if (count < 999_500_000) return `${trim(count / 1_000_000)}M`;
  return `${trim(count / 1_000_000_000)}B`;
}

function trim(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, '');
}

/** Milliseconds for reading: 340 ms, 2.4 s, 3 min 5 s, 2 h 10 min. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trim(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Distance of a time from `now` in words: "just now", "5 min. ago", "in 2 hr.". */
export function formatRelative(time: Date, now: Date): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000);
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(seconds, 'second');
}

/** Date and time to the second, in the reader's zone. */
export function formatExact(time: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    time,
  );
}

const hour = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const sameYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** A moment that is to come, as one says it: `14:05` of today, `30 Nov 11:36`, `2 Jan 2027 09:00`. */
export function formatUntil(time: Date, now: Date): string {
  const parts = (form: Intl.DateTimeFormat) =>
    Object.fromEntries(form.formatToParts(time).map(({ type, value }) => [type, value]));
  const clock = hour.format(time);
  if (time.toDateString() === now.toDateString()) return clock;
  const { day, month, year } = parts(
    time.getFullYear() === now.getFullYear() ? sameYear : otherYear,
  );
  return [day, month, year, clock].filter(Boolean).join(' ');
}

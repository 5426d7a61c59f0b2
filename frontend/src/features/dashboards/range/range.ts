import type { BoardFilter } from '../../../api/http/boards.ts';
import { formatExact } from '../../../ui/format/format.ts';

export const RANGES = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

const day = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const dayName = (text: string) => day.format(new Date(`${text}T00:00:00Z`));

/** Days in words: `3 Nov to 5 Nov`, or the one day. */
export function daysName(since: string, until: string): string {
  return since === until ? dayName(since) : `${dayName(since)} to ${dayName(until)}`;
}

/** The stretch of a board in words. */
export function rangeName({ hours = '24', since, until }: BoardFilter): string {
  if (since && until) return daysName(since, until);
  return RANGES.find((range) => range.value === hours)?.label ?? `${hours} hours`;
}

/** The same with the word before it: in the last 24 hours, on 3 Nov, from 3 Nov to 5 Nov. */
export function withinRange(filter: BoardFilter): string {
  const { since, until } = filter;
  if (since && until) return `${since === until ? 'on' : 'from'} ${rangeName(filter)}`;
  return `in the last ${rangeName(filter)}`;
}

/** As long a stretch that ends where this one begins. */
export function stretchBefore(stretch: { since: string; until: string }): {
  since: string;
  until: string;
} {
  const [since, until] = [Date.parse(stretch.since), Date.parse(stretch.until)];
  return { since: new Date(2 * since - until).toISOString(), until: stretch.since };
}

/** When a stretch is, to the minute. */
export const stretchName = (stretch: { since: string; until: string }): string =>
  `${formatExact(new Date(stretch.since))} to ${formatExact(new Date(stretch.until))}`;

/** Where the runs are listed that ended in a stretch, in one way if `status` says so (`rejected` is one). */
export function endedAddress(
  stretch: { since: string; until: string },
  filter: BoardFilter,
  status?: string,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    ...more,
    ...(status === 'rejected' ? { rejected: 'true' } : status ? { status } : {}),
    ended_since: stretch.since,
    ended_until: stretch.until,
    ...(filter.graph ? { graph: filter.graph } : {}),
  });
  return `/runs?${query.toString()}`;
}

/** An address with a query, narrowed to the workflow that was chosen. */
export const withGraph = (address: string, graph: string | undefined): string =>
  graph ? `${address}&graph=${encodeURIComponent(graph)}` : address;

/** Where the approvals are listed that a figure counts. */
export function itemsAddress(filter: BoardFilter, counted: Record<string, string>): string {
  const query = new URLSearchParams({
    view: 'all',
    kind: 'approval',
    ...counted,
    ...(filter.graph ? { graph: filter.graph } : {}),
  });
  return `/inbox?${query.toString()}`;
}

const DAY_MS = 86_400_000;

/** How many days a board shows at most, and the page of what was spent. */
export const MOST_DAYS = { board: 90, spend: 400 };

/** Why days cannot be shown, in words; null where they can. */
export function refusedDays(first: string, last: string, most: number): string | null {
  if (!first || !last) return null;
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) return 'The first day comes first';
  return days > most ? `These are ${days} days: ${most} at most are shown at once` : null;
}

/** The first of so many days up to today, on the workspace's clock. */
export function firstDay(days: number, timezone: string, now = new Date()): string {
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);
  return new Date(Date.parse(`${today}T00:00:00Z`) - (days - 1) * DAY_MS)
    .toISOString()
    .slice(0, 10);
}

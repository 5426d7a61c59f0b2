import type { BoardFilter } from '../../../api/http/boards.ts';

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

/** Where the runs are listed that ended in a stretch, in one way if `status` says so (`rejected` is one). */
export function endedAddress(
  stretch: { since: string; until: string },
  filter: BoardFilter,
  status?: string,
): string {
  const query = new URLSearchParams({
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

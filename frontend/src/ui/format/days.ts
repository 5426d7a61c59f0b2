/** A day as people read it: `2026-11-30` is 30 Nov, with the year where that is another one. */
export function shortDay(day: string, now: Date = new Date()): string {
  const at = new Date(`${day}T12:00:00Z`);
  if (Number.isNaN(at.getTime())) return day;
  const year = at.getUTCFullYear() === now.getFullYear() ? undefined : 'numeric';
  const parts = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(year ? { year } : {}),
  });
  return parts.format(at);
}

/** A day as a date field holds it, so many days from now, in a time zone. */
export function dayIn(zone: string, ahead = 0, now: Date = new Date()): string {
  const at = new Date(now.getTime() + ahead * 86_400_000);
  const parts = (timeZone: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
  try {
    return parts(zone);
  } catch (error) {
    if (error instanceof RangeError) return parts('UTC');
    throw error;
  }
}

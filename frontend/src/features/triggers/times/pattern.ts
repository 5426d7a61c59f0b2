/** The common cron lines in words: what a schedule repeats by, read from its line and written to it. */

export const repeats = [
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'weekdays', label: 'Monday to Friday' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
  { value: 'custom', label: 'Another pattern (a cron line)' },
] as const;

export type Repeat = (typeof repeats)[number]['value'];

export const weekdays = [
  { value: '1', label: 'Monday' },
  { value: '2', label: 'Tuesday' },
  { value: '3', label: 'Wednesday' },
  { value: '4', label: 'Thursday' },
  { value: '5', label: 'Friday' },
  { value: '6', label: 'Saturday' },
  { value: '0', label: 'Sunday' },
];

export interface Pattern {
  repeat: Exclude<Repeat, 'custom'>;
  minute: number;
  hour: number;
  /** 0 is Sunday. */
  weekday: number;
  /** From 1 to 31. */
  monthday: number;
}

/** What a choice begins with where the line says nothing of it: eight o'clock, Monday, the first. */
const FIRST: Pattern = { repeat: 'day', minute: 0, hour: 8, weekday: 1, monthday: 1 };

/** A field that is one number of a range; null for all else. */
function numberOf(field: string | undefined, least: number, most: number): number | null {
  if (field === undefined || !/^\d{1,2}$/.test(field)) return null;
  const value = Number(field);
  return value >= least && value <= most ? value : null;
}

/** The pattern that a cron line says; null where it is none of the common ones. */
export function patternOf(cron: string): Pattern | null {
  const fields = cron.trim().split(/\s+/);
  const [first, second, date, month, days] = fields;
  const minute = numberOf(first, 0, 59);
  if (fields.length !== 5 || minute === null || month !== '*') return null;
  if (second === '*')
    return date === '*' && days === '*' ? { ...FIRST, repeat: 'hour', minute } : null;
  const hour = numberOf(second, 0, 23);
  if (hour === null) return null;
  const at = { ...FIRST, minute, hour };
  if (date !== '*') {
    const monthday = numberOf(date, 1, 31);
    return monthday !== null && days === '*' ? { ...at, repeat: 'month', monthday } : null;
  }
  if (days === '*') return { ...at, repeat: 'day' };
  if (days === '1-5') return { ...at, repeat: 'weekdays' };
  const weekday = numberOf(days, 0, 7);
  return weekday === null ? null : { ...at, repeat: 'week', weekday: weekday % 7 };
}

/** The cron line of a pattern. */
export function cronOf({ repeat, minute, hour, weekday, monthday }: Pattern): string {
  const at = `${minute} ${hour}`;
  if (repeat === 'hour') return `${minute} * * * *`;
  if (repeat === 'day') return `${at} * * *`;
  if (repeat === 'weekdays') return `${at} * * 1-5`;
  return repeat === 'week' ? `${at} * * ${weekday}` : `${at} ${monthday} * *`;
}

/** The line of another choice, with as much of the old line as both know. */
export const repeated = (cron: string, repeat: Pattern['repeat']): string =>
  cronOf({ ...(patternOf(cron) ?? FIRST), repeat });

/** The hour and minute as a clock says them. */
export const clockOf = ({ hour, minute }: Pattern): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** What a cron line says in words, such as: every Monday at 08:00. The line itself where no words say it. */
export function cronWords(cron: string): string {
  const pattern = patternOf(cron);
  if (!pattern) return `by the cron line ${cron.trim()}`;
  const at = `at ${clockOf(pattern)}`;
  switch (pattern.repeat) {
    case 'hour':
      return `every hour at minute ${String(pattern.minute)}`;
    case 'day':
      return `every day ${at}`;
    case 'weekdays':
      return `Monday to Friday ${at}`;
    case 'week':
      return `every ${weekdays.find(({ value }) => value === String(pattern.weekday))?.label ?? 'week'} ${at}`;
    case 'month':
      return `every month on day ${String(pattern.monthday)} ${at}`;
  }
}

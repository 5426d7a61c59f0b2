import { longDuration } from '../../../ui/format/duration/durations.ts';

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Settings that are times, and lists of times, by the last part of their path. */
const isTime = (path: string): boolean => /(^|[._])(ms|reminders)$/.test(path);

/** A value of a setting as the screen says it: times in words, lists without their brackets. */
export function changedText(path: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const times = Array.isArray(value) ? value : [value];
  if (isTime(path) && times.length > 0 && times.every(isNumber))
    return times.map(longDuration).join(', ');
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
    ? value.join(', ')
    : JSON.stringify(value);
}

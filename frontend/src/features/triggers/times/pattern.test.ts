import { expect, it } from 'vitest';
import { clockOf, cronOf, cronWords, patternOf, repeated } from './pattern.ts';

it.each([
  ['0 * * * *', 'hour'],
  ['30 6 * * *', 'day'],
  ['0 8 * * 1-5', 'weekdays'],
  ['5 23 * * 0', 'week'],
  ['0 9 31 * *', 'month'],
])('reads %s as every %s, and writes it so again', (cron, repeat) => {
  const pattern = patternOf(cron);
  expect(pattern?.repeat).toBe(repeat);
  expect(pattern && cronOf(pattern)).toBe(cron);
});

it.each(['*/5 * * * *', '0 8 1 * 1', '0 8 * 2 *', '0 24 * * *', '0 8 32 * *', '0 8-9 * * *', ''])(
  'leaves “%s” as the line that it is',
  (cron) => {
    expect(patternOf(cron)).toBeNull();
  },
);

it('knows that Sunday has two numbers', () => {
  expect(patternOf('0 8 * * 7')).toEqual(patternOf('0 8 * * 0'));
});

it('keeps the time when another pattern is chosen', () => {
  expect(repeated('15 17 * * 1-5', 'week')).toBe('15 17 * * 1');
  expect(repeated('*/5 * * * *', 'month')).toBe('0 8 1 * *');
});

it('says the time as a clock does', () => {
  const pattern = patternOf('5 8 * * *');
  expect(pattern && clockOf(pattern)).toBe('08:05');
});

it.each([
  ['5 * * * *', 'every hour at minute 5'],
  ['30 7 * * *', 'every day at 07:30'],
  ['0 8 * * 1-5', 'Monday to Friday at 08:00'],
  ['0 8 * * 7', 'every Sunday at 08:00'],
  ['15 16 1 * *', 'every month on day 1 at 16:15'],
  ['*/15 9-17 * * *', 'by the cron line */15 9-17 * * *'],
])('%s is %s', (line, words) => {
  expect(cronWords(line)).toBe(words);
});

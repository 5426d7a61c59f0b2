import { expect, test } from 'vitest';
import { DAY_MS, daysOf, inDays, keepsFewer } from './retention.ts';

test('an empty field keeps runs for ever, days keep that many', () => {
  expect([daysOf(null), daysOf(30 * DAY_MS)]).toEqual([null, 30]);
});

test('only a shorter time deletes something that is kept now', () => {
  expect([keepsFewer(null, 30), keepsFewer(30, 7)]).toEqual([true, true]);
  expect([
    keepsFewer(30, 30),
    keepsFewer(7, 30),
    keepsFewer(30, null),
    keepsFewer(null, null),
  ]).toEqual([false, false, false, false]);
});

test('one day is one day', () => {
  expect([inDays(1), inDays(30)]).toEqual(['1 day', '30 days']);
});

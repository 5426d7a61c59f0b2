import { expect, test } from 'vitest';
import { daysOf, inDays, keepsFewer } from './retention.ts';

test('an empty field keeps runs for ever, a number keeps that many days', () => {
  expect([daysOf(''), daysOf(30), daysOf(0)]).toEqual([null, 30, null]);
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

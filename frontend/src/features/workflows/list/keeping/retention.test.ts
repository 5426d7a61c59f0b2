import { expect, test } from 'vitest';
import { DAY_MS, daysOf, inDays, keepsFewer, type Keeping } from './retention.ts';

test('an empty field keeps runs for ever, days keep that many', () => {
  expect([daysOf(null), daysOf(30 * DAY_MS)]).toEqual([null, 30]);
});

test('only a shorter time, or no more archiving, deletes something that is kept now', () => {
  const del = (days: number | null): Keeping => ({ days, then: 'delete' });
  const file = (days: number | null): Keeping => ({ days, then: 'archive' });
  const deletes: [Keeping, Keeping][] = [
    [del(null), del(30)],
    [del(30), del(7)],
    [file(7), del(30)],
  ];
  const keeps: [Keeping, Keeping][] = [
    [del(30), del(30)],
    [del(7), del(30)],
    [del(30), del(null)],
    [del(null), file(1)],
    [del(30), file(7)],
  ];
  expect(deletes.map((pair) => keepsFewer(...pair))).toEqual([true, true, true]);
  expect(keeps.some((pair) => keepsFewer(...pair))).toBe(false);
});

test('one day is one day', () => {
  expect([inDays(1), inDays(30)]).toEqual(['1 day', '30 days']);
});

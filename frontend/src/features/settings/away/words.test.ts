import { expect, test } from 'vitest';
import type { StandIn } from '../../../api/http/workspace/people/standIns.ts';
import { dayIn, shortDay } from '../../../ui/format/days.ts';
import { asSentence, awayText, whenText } from './words.ts';

const year = new Date().getFullYear();
const one = (part: Partial<StandIn>): StandIn => ({
  id: 'a',
  absent: { id: 'raul', name: 'Raul' },
  to: { id: 'rita', name: 'Rita' },
  first_day: `${year}-11-20`,
  last_day: `${year}-11-30`,
  note: '',
  now: true,
  zone: 'UTC',
  may_change: false,
  ...part,
});

test('who is away now is back after a day; ahead both ends are said', () => {
  expect(awayText(one({}))).toBe('Away until 30 Nov; Rita decides meanwhile');
  expect(whenText(one({ now: false }))).toBe('from 20 to 30 Nov');
  expect(whenText(one({ now: false, last_day: `${year}-12-02` }))).toBe('from 20 Nov to 2 Dec');
  expect(whenText(one({ now: false, last_day: `${year}-11-20` }))).toBe('on 20 Nov');
});

test('a day of another year says its year, and what is none stays as it is', () => {
  expect(shortDay('2031-01-02')).toBe('2 Jan 2031');
  expect(shortDay('soon')).toBe('soon');
});

test('days begin in the zone of the workspace; an unknown zone counts as UTC', () => {
  const late = new Date('2026-11-23T23:30:00Z');
  expect(dayIn('UTC', 0, late)).toBe('2026-11-23');
  expect(dayIn('Asia/Tokyo', 0, late)).toBe('2026-11-24');
  expect(dayIn('Nowhere/At_All', 1, late)).toBe('2026-11-24');
});

test('what the server refuses is a sentence', () => {
  expect(asSentence('choose today or later: it is 3 May 2026 (UTC)')).toBe(
    'Choose today or later: it is 3 May 2026 (UTC).',
  );
  expect(asSentence('Raul is away already.')).toBe('Raul is away already.');
});

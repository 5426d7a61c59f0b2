import { expect, it } from 'vitest';
import { agoText, beforeText, secondsLeft, short } from './words.ts';

it('counts down in whole seconds, from the whole window to none', () => {
  expect([8_000, 7_400, 400, -5].map((ms) => secondsLeft(ms, 0))).toEqual([8, 7, 0, 0]);
});

it('cuts a title where its line ends', () => {
  expect(short('Pay  48\nto Ivo?')).toBe('Pay 48 to Ivo?');
  expect(short('A very long title', 8)).toBe('A very…');
});

it('says how long ago something was, in seconds and then in minutes', () => {
  expect([0, 12_400, 89_000, 120_000].map(agoText)).toEqual([
    '1 s ago',
    '12 s ago',
    '89 s ago',
    '2 min ago',
  ]);
});

it('says of what was decided before the last whether it was decided alike', () => {
  const [yes, no] = [{ verb: 'approve' as const }, { verb: 'reject' as const }];
  expect(beforeText([], 'approve')).toBe('');
  expect(beforeText([yes, yes], 'approve')).toBe(' and 2 before');
  expect(beforeText([no], 'approve')).toBe('; before, 1 rejected');
  expect(beforeText([no, yes], 'reject')).toBe('; before, 1 approved, 1 rejected');
});

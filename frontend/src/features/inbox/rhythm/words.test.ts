import { expect, it } from 'vitest';
import { agoText, secondsLeft, short } from './words.ts';

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

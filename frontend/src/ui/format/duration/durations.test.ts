import { describe, expect, it } from 'vitest';
import { longDuration, readDuration, readWithin, shortDuration } from './durations.ts';

const DAY = 86_400_000;
const ms = (text: string) => {
  const meant = readDuration(text);
  return 'ms' in meant ? meant.ms : meant.wrong;
};

describe('words are read as exact milliseconds', () => {
  it.each([
    ['2 d 4 h', 2 * DAY + 14_400_000],
    ['90 min', 5_400_000],
    ['1 week', 7 * DAY],
    ['1 s 5 ms', 1_005],
    ['2 days and 4 hours', 2 * DAY + 14_400_000],
    ['after 2 days, 4 hours', 2 * DAY + 14_400_000],
    ['1h30min', 5_400_000],
    ['  1.5 H ', 5_400_000],
    ['0.001 s', 1],
    ['half an hour', 1_800_000],
    ['half a day', DAY / 2],
    ['an hour', 3_600_000],
    ['two days', 2 * DAY],
    ['5 m', 300_000],
    ['0', 0],
    ['0 s', 0],
  ])('%s', (text, expected) => {
    expect(ms(text)).toBe(expected);
  });
});

describe('what is no duration is told why', () => {
  it.each([
    ['', 'Say it as in'],
    ['and', 'Say it as in'],
    ['2', '2 of what?'],
    ['1 h 30', '30 of what?'],
    ['2 parsecs', '“parsecs” is no unit'],
    ['1 month', 'no fixed length'],
    ['1,500 ms', 'without a comma'],
    ['1 h 2 h', 'two numbers of hours'],
    ['0.5 ms', 'shorter than 1 ms'],
    ['-2 h', '“-” is not understood'],
    ['soon', '“soon” is not understood'],
    [`${'9'.repeat(60)} d`, 'too long a time'],
    ['9'.repeat(100_000), 'too long'],
    ['1e3 s', '“e” is no unit'],
  ])('%s', (text, expected) => {
    expect(ms(text)).toContain(expected);
  });

  it('outside of its bounds', () => {
    expect(readWithin('1 h', { min: DAY })).toEqual({ wrong: 'It is at least 1 day.' });
    expect(readWithin('3 d', { max: 2 * DAY })).toEqual({ wrong: 'It is at most 2 days.' });
    expect(readWithin('36 h', { step: DAY })).toEqual({ wrong: 'Say whole days.' });
    expect(readWithin('48 h', { min: DAY, max: 2 * DAY, step: DAY })).toEqual({ ms: 2 * DAY });
  });
});

describe('milliseconds are said exactly', () => {
  it.each([
    [0, '0 s', 'no time'],
    [1, '1 ms', '1 millisecond'],
    [1_005, '1 s 5 ms', '1 second 5 milliseconds'],
    [7 * DAY, '7 d', '7 days'],
    [2 * DAY + 14_400_000, '2 d 4 h', '2 days 4 hours'],
    [1.5, '1.5 ms', '1.5 ms'],
  ])('%s', (value, short, long) => {
    expect(shortDuration(value)).toBe(short);
    expect(longDuration(value)).toBe(long);
  });

  it('and come back as they were, long or short', () => {
    let seed = 7;
    const values = Array.from({ length: 2_000 }, (_, place) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return Math.floor((seed / 2_147_483_647) * 10 ** (1 + (place % 15)));
    });
    for (const value of [...values, Number.MAX_SAFE_INTEGER, 366 * DAY]) {
      expect(ms(shortDuration(value))).toBe(value);
      if (value > 0) expect(ms(longDuration(value))).toBe(value);
    }
  });
});

it('a number alone is one of days where only whole days are taken', () => {
  const days = { min: 86_400_000, step: 86_400_000 };
  expect(readWithin('7', days)).toEqual({ ms: 7 * 86_400_000 });
  expect(readWithin('7', {})).toHaveProperty('wrong');
  expect(readWithin('90 min', days)).toHaveProperty('wrong');
});

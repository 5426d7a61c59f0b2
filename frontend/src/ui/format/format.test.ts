import { expect, it } from 'vitest';
import { capital, formatTokens, formatUntil } from './format.ts';

it('says a moment to come by its clock today, by its day later, by its year in another year', () => {
  const now = new Date(2026, 10, 23, 9, 0);

  expect(formatUntil(new Date(2026, 10, 23, 14, 5), now)).toBe('14:05');
  expect(formatUntil(new Date(2026, 10, 30, 0, 36), now)).toBe('30 Nov 00:36');
  expect(formatUntil(new Date(2027, 0, 2, 9, 0), now)).toBe('2 Jan 2027 09:00');
});

it.each([
  [940, '940'],
  [12_400, '12.4k'],
  [999_499, '999k'],
  [999_999, '1M'],
  [1_200_000, '1.2M'],
  [999_999_999, '1B'],
  [1_000_000_000, '1B'],
  [2_500_000_000, '2.5B'],
])('shortens %d tokens to %s', (count, words) => expect(formatTokens(count)).toBe(words));

it.each([
  ['rejected by Rita', 'Rejected by Rita'],
  ['expression: no number', 'Expression: no number'],
  ['input.amount is missing', 'input.amount is missing'],
  ['gpt-5 is gone', 'gpt-5 is gone'],
  ['', ''],
])('begins a sentence with a capital, and leaves names as they are: %s', (text, told) => {
  expect(capital(text)).toBe(told);
});

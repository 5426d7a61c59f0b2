import { describe, expect, it } from 'vitest';
import type { Alike } from './queries.ts';
import { amountField, differenceText, summaryText } from './alikeWords.ts';

const alike = (part: Partial<Alike>): Alike => ({
  count: 44,
  approved: 41,
  median: 81,
  amount: 2087.7,
  last_approved: 87.7,
  last: [],
  earlier: [],
  others: [],
  ...part,
});
const money = (value: number) => `$${value.toFixed(2)}`;

describe('what an item is like', () => {
  it('counts what was approved', () => {
    expect(summaryText(alike({}), money)).toBe('41 of the last 44 approved, typically $81.00.');
    expect(summaryText(alike({ count: 1, approved: 0, median: null }), money)).toBe(
      'The last was rejected.',
    );
  });

  it('calls nothing typical before the fifth decision', () => {
    expect(summaryText(alike({ count: 4, approved: 4 }), money)).toBe('4 of the last 4 approved.');
    expect(summaryText(alike({ count: 5, approved: 4 }), money)).toContain('typically $81.00');
  });

  it('compares with the last that was approved', () => {
    expect(differenceText(alike({}), money)).toBe(
      'This is $2000.00 more than the last approved, $87.70.',
    );
    expect(differenceText(alike({ amount: 100, last_approved: 80 }), money)).toBe(
      'This is $20.00 (25 %) more than the last approved, $80.00.',
    );
    expect(differenceText(alike({ amount: 87.7 }), money)).toBe(
      'This is the same as the last approved.',
    );
    expect(differenceText(alike({ last_approved: null }), money)).toBe('');
  });

  it('finds the field that holds the sum', () => {
    expect(amountField({ amount: 2087.7, data: { n: 1, sum: '2087.70' } })).toBe('sum');
    expect(amountField({ amount: 5, data: { n: 1 } })).toBeNull();
    expect(amountField({ amount: null, data: {} })).toBeNull();
  });
});

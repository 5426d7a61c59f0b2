import { describe, expect, it } from 'vitest';
import type { Budget } from '../../api/http/workspace/budgets.ts';
import { sidesOf } from './BudgetBar.tsx';

const budget: Budget = {
  id: 'b',
  level: 'workspace',
  graph: null,
  trigger: null,
  period: 'day',
  limit_usd: '10',
  limit_tokens: null,
  raised_usd: '0',
  raised_tokens: 0,
  used_usd: '2.5',
  used_tokens: 900,
  held_usd: '1',
  held_tokens: 20,
  left_usd: '6.5',
  left_tokens: null,
  taken: 0.35,
  forecast_usd: '5',
  forecast_tokens: 1800,
  current: '2026-11-22',
  starts_at: null,
  ends_at: null,
};

describe('where a budget stands', () => {
  it('shows money where only money is capped', () => {
    expect(sidesOf(budget)).toMatchObject([
      { used: 0.25, held: 0.1, forecast: 0.5, sums: { left: '$6.50', limit: '$10.00' } },
    ]);
  });

  it('shows both where both are capped, and nothing held as nothing', () => {
    const sides = sidesOf({ ...budget, limit_tokens: 1000, left_tokens: 80, held_tokens: 0 });
    expect(sides.map((side) => side.unit)).toEqual(['', ' tokens']);
    expect(sides[1]).toMatchObject({
      used: 0.9,
      forecast: 1.8,
      sums: { used: '900', held: null, left: '80' },
    });
  });

  it('counts few tokens to the last one, so that used and left add up', () => {
    const few = {
      ...budget,
      limit_usd: null,
      limit_tokens: 1300,
      used_tokens: 1230,
      held_tokens: 0,
    };
    expect(sidesOf({ ...few, left_tokens: 70 })[0]?.sums).toMatchObject({
      used: '1,230',
      left: '70',
      limit: '1,300',
    });
  });

  it('is full at once where nothing is allowed', () => {
    expect(sidesOf({ ...budget, limit_usd: null, limit_tokens: 0 })[0]).toMatchObject({ used: 1 });
  });
});

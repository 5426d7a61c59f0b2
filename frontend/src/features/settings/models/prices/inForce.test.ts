import { expect, it } from 'vitest';
import { forceOf } from './inForce.ts';

const line = (pattern: string, from_date: string, provider = 'acme') => ({
  id: `${provider}${pattern}${from_date}`,
  provider,
  pattern,
  from_date,
  input_per_million: '1',
  output_per_million: '2',
  cached_per_million: null,
});

it('says of each price whether it holds now, later, or no more', () => {
  const prices = [
    line('*', '2026-01-01'),
    line('*', '2026-06-01'),
    line('*', '2026-12-01'),
    line('small', '2026-01-01'),
    line('*', '2026-07-01', 'other'),
  ];
  const told = prices.map((price) => forceOf(price, prices, '2026-11-24'));

  expect(told).toEqual(['past', 'now', 'later', 'now', 'now']);
});

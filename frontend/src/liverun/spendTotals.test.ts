import { expect, test } from 'vitest';
import { sidesOf, tightest } from './spendTotals.ts';

const spend = { usd: '0.10', tokens: 250, heldUsd: '0', heldTokens: 3639 };

test('both units are told, the capped one first, with what is left of it (C46)', () => {
  const [tokens, usd] = sidesOf(spend, null, 9000);
  expect(tokens).toMatchObject({ used: '250 tokens', held: '3.6k', left: '5.1k' });
  expect(usd).toMatchObject({ used: '$0.10', held: null, left: null, share: null });
  expect(sidesOf(spend, '1', 9000).map(({ unit }) => unit)).toEqual(['usd', 'tokens']);
  expect(sidesOf(spend, null, null).map(({ unit, left }) => [unit, left])).toEqual([
    ['usd', null],
    ['tokens', null],
  ]);
});

test('the bar is that of the cap that is nearest (C46)', () => {
  expect(tightest(sidesOf(spend, '1', 9000))).toEqual({ used: 250 / 9000, held: 3639 / 9000 });
  expect(tightest(sidesOf(spend, '0.20', 9000))).toEqual({ used: 0.5, held: 0 });
  expect(tightest(sidesOf(spend, null, null))).toBeNull();
});

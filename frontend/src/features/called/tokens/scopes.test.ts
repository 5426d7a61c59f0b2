import { expect, test } from 'vitest';
import { endOf, tokenWords } from './scopes.ts';

test('a token is told by what it may, where, and until when', () => {
  const refund = { id: 'g', name: 'Refund' };

  expect(tokenWords({ scopes: ['*'], graphs: [], expires_at: null })).toBe(
    'everything that its owner may',
  );
  expect(
    tokenWords({ scopes: ['runs:start'], graphs: [refund], expires_at: '2027-03-01T12:00:00Z' }),
  ).toMatch(/^start “Refund” · until .*2027/);
  expect(tokenWords({ scopes: ['runs:read', 'runs:start'], graphs: [], expires_at: null })).toBe(
    'start, read runs of all workflows',
  );
  expect(
    tokenWords({ scopes: ['runs:start'], graphs: [{ id: 'x', name: '' }], expires_at: null }),
  ).toBe('start one that is gone');
});

test('a token ends after its days, or never', () => {
  expect(endOf('7', 0)).toBe('1970-01-08T00:00:00.000Z');
  expect(endOf('0', 0)).toBeNull();
});

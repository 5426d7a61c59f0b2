import { expect, test } from 'vitest';
import { plausible } from './plausible.ts';

test('each field gets what its type takes, and what was given with it first', () => {
  const properties = {
    amount: { type: 'number' },
    count: { type: 'integer', minimum: 1 },
    urgent: { type: 'boolean' },
    lines: { type: 'array' },
    who: { type: 'object', properties: { name: { type: 'string' } } },
    due: { type: 'string', format: 'date' },
    level: { enum: ['low', 'high'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    sum: { type: 'number', examples: [12.5], default: 3 },
    currency: { type: 'string', default: 'EUR' },
    any: {},
  };

  expect(plausible({ type: 'object', properties })).toEqual({
    amount: 0,
    count: 1,
    urgent: true,
    lines: [],
    who: { name: '…' },
    due: '2026-01-31',
    level: 'low',
    note: '…',
    sum: 12.5,
    currency: 'EUR',
    any: '…',
  });
});

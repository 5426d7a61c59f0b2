import { expect, it } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { receiptOf } from './receipt.ts';

const item = {
  request: {
    data: { amount: 34.55, letter: 'Dear David' },
    edit_schema: { properties: { amount: { type: 'number' }, letter: { type: 'string' } } },
  },
} as unknown as Interrupt;

it('says what is approved, not what was asked for', () => {
  expect(receiptOf('approve', item, { amount: 30 })).toEqual({
    verb: 'Approved with 1 edit:',
    edits: 'Amount 34.55 → 30.00',
  });
});

it('counts edits, and names those that are too long to be read out', () => {
  expect(receiptOf('approve', item, { amount: 30, letter: 'Dear David, '.repeat(9) })).toEqual({
    verb: 'Approved with 2 edits:',
    edits: 'Amount 34.55 → 30.00, Letter',
  });
});

it('says no more than the decision where nothing was changed by it', () => {
  expect(receiptOf('approve', item, {})).toEqual({ verb: 'Approved', edits: '' });
  expect(receiptOf('reject', item, { amount: 30 })).toEqual({ verb: 'Rejected', edits: '' });
});

import { expect, it } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { amountBeside } from './amount.ts';

const money = { type: 'number', format: 'money', 'x-unit': 'USD' };
const item = (amount: number | null, data: object, properties = {}) =>
  ({ amount, request: { data, edit_schema: { properties } } }) as unknown as Interrupt;

it('is said beside a title that ends before it, or says another sum', () => {
  const refund = item(2087.7, { amount: 2087.7, customer: 'Nora' }, { amount: money });

  expect(amountBeside(refund, 'Refund 2,087.70 USD to Nora?')).toBeNull();
  expect(amountBeside(refund, `Refund this customer? They wrote: ${'x '.repeat(9)}2,087.70`)).toBe(
    '$2,087.70',
  );
  expect(amountBeside(refund, 'Refund 12,087.70 to Nora?')).toBe('$2,087.70');
  expect(amountBeside(item(49, { amount: 49 }), 'Refund this?')).toBe('49.00');
});

it('is not said of what is no sum', () => {
  expect(amountBeside(item(3, { count: 3 }), 'How many?')).toBeNull();
  expect(amountBeside(item(null, { amount: 'x' }), 'Which?')).toBeNull();
});

it('knows the currency of what nobody may edit', () => {
  const shown = { ...item(49, { amount: 49 }), currencies: { amount: 'JPY' } };
  expect(amountBeside(shown, 'Refund this?')).toBe('¥49');
});

import { expect, it } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { amountBeside, sumOfAmounts } from './amount.ts';

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

it('is what picked items come to, where they name it alike in one currency', () => {
  const refund = (amount: number) => item(amount, { amount }, { amount: money });
  const euros = { ...item(5, { amount: 5 }), currencies: { amount: 'EUR' } };

  expect(sumOfAmounts([refund(0.1), refund(0.2), refund(180)])).toBe('$180.30');
  expect(sumOfAmounts([refund(12)])).toBe('$12.00');
  expect(sumOfAmounts([item(1, { fee: 1 }), item(2.5, { fee: 2.5 })])).toBe('3.50');
  expect(sumOfAmounts([refund(1), euros])).toBeNull();
  expect(sumOfAmounts([refund(1), item(1, { fee: 1 })])).toBeNull();
  expect(sumOfAmounts([refund(1), item(null, {})])).toBeNull();
  expect(sumOfAmounts([])).toBeNull();
});

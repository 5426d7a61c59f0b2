import { expect, it } from 'vitest';
import { withSums } from './spelled.ts';

const data = { customer: 'Anna', amount: 12.5, items: 3 };
const EUR = { format: 'money', 'x-unit': 'EUR' };
const YEN = { format: 'money', 'x-unit': 'JPY' };

it('spells a sum in a message as the item shows it', () => {
  expect(withSums('Refund 12.5 EUR to Anna?', { data })).toBe('Refund 12.50 EUR to Anna?');
  expect(withSums('Pay €900.0, now.', { data: { amount: 900 } })).toBe('Pay €900.00, now.');
  expect(withSums('Pay 2037.35?', { data: { total: 2037.35 } })).toBe('Pay 2,037.35?');
});

it('goes by what the workflow says of a field', () => {
  const said = (schema: object, value: number, text: string) =>
    withSums(text, { data: { due: value }, edit_schema: { properties: { due: schema } } });

  expect(said(EUR, 7.5, 'Due: 7.5')).toBe('Due: 7.50');
  expect(said(YEN, 1200, 'JPY 1200 due')).toBe('JPY 1,200 due');
  expect(said({ type: 'number' }, 7.5, 'Due: 7.5')).toBe('Due: 7.5');
});

it('leaves other numbers alone', () => {
  const same = [
    'Case A12.5',
    'v1.12.5',
    '12.5 % off',
    '12.50 EUR',
    'at 12.5kg',
    '112.5',
    '3.0 items',
  ];
  for (const text of same) expect(withSums(text, { data })).toBe(text);
  expect(withSums('5 of 5 boxes', { data: { amount: 5 } })).toBe('5 of 5 boxes');
  expect(withSums('5 boxes for 5 USD', { data: { amount: 5 } })).toBe('5 boxes for 5.00 USD');
});

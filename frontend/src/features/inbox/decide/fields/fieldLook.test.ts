import { expect, it } from 'vitest';
import type { Json } from '../../../../api/types/types.ts';
import { factText, formatted, labelOf, numberText, schemasOf, sumText } from './fieldLook.ts';

it('calls a field by its title, else by its name in words', () => {
  expect(labelOf('amount', { title: 'To pay' })).toBe('To pay');
  expect(labelOf('amount_due', undefined)).toBe('Amount due');
  expect(labelOf('orderNo', {})).toBe('Order No');
  expect([labelOf('iban', {}), labelOf('customer_id', {})]).toEqual(['IBAN', 'Customer ID']);
});

it('calls Start fields as the workflow does', () => {
  const cv = { type: 'string', title: 'Curriculum' };
  const said = schemasOf({ interface: { inputs: { properties: { cv } } }, state_schema: null });

  expect(labelOf('input.cv', said['input.cv'])).toBe('Curriculum');
  expect(labelOf('input.who.full_name', undefined)).toBe('Who full name');
});

it('writes money with its currency, and leaves everything else as it is', () => {
  expect(formatted(2087.7, { type: 'number', format: 'money' })).toBe('$2,087.70');
  expect(formatted('48', { format: 'money', 'x-unit': 'EUR' })).toBe('€48.00');
  expect(formatted(2026, { type: 'integer' })).toBeNull();
  expect(formatted('soon', { format: 'money' })).toBeNull();
  expect(formatted(3, { 'x-unit': 'kg' })).toBeNull();
});

it('writes sums in one way, with two decimals at least and never rounded', () => {
  expect(['12.5', 1133, '0.125'].map((sum) => sumText(sum, undefined))).toEqual([
    '12.50',
    '1,133.00',
    '0.125',
  ]);
  expect(sumText(12.5, { 'x-unit': 'EUR' })).toBe('€12.50');
});

it('knows a sum by the name of its field, and groups no other number', () => {
  expect(numberText('amount_due', 1133, undefined)).toBe('1,133.00');
  expect(numberText('totalCost', 2, undefined)).toBe('2.00');
  expect(sumText(37.349999999999994, undefined)).toBe('37.35');
  expect(numberText('total', 3, { type: 'integer' })).toBe('3');
  expect(numberText('year', 2026, undefined)).toBe('2026');
  expect(numberText('amount', 'much', undefined)).toBeNull();
});

it('reads a fact as Yes or No, or as a number', () => {
  expect([true, false, 'late', 3].map((value) => factText('x', value, undefined))).toEqual([
    'Yes',
    'No',
    null,
    '3',
  ]);
});

it('reads a day by its month, where the schema says that it is one', () => {
  const said = (value: Json, format = 'date') => factText('due', value, { format });
  expect(said('2026-12-04')).toBe('4 Dec 2026');
  expect([said('2026-02-31'), said('soon'), said('2026-99-99'), said(20261204)]).toEqual([
    null,
    null,
    null,
    '20261204',
  ]);
  expect(said('2026-12-04', 'hostname')).toBeNull();
});

it('says a few short texts with commas, and leaves other lists to be shown', () => {
  const said = (value: Json) => factText('tags', value, undefined);
  expect(said(['late', 'Gold customer'])).toBe('late, Gold customer');
  expect(said([])).toBeNull();
  expect(said(['late', 3])).toBeNull();
  expect(said(['one, two', 'three'])).toBeNull();
  expect(said(['https://a.example', 'b'])).toBeNull();
  expect(said(['2026-11-23'])).toBeNull();
  expect(said(['5b5155e9-69cc-490a-b5ee-3f69b129bb60'])).toBeNull();
});

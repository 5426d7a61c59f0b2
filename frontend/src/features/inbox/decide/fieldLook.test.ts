import { expect, it } from 'vitest';
import { formatted, labelOf } from './fieldLook.ts';

it('calls a field by its title, else by its name in words', () => {
  expect(labelOf('amount', { title: 'To pay' })).toBe('To pay');
  expect(labelOf('amount_due', undefined)).toBe('Amount due');
  expect(labelOf('orderNo', {})).toBe('Order No');
});

it('writes money with its currency, and leaves everything else as it is', () => {
  expect(formatted(2087.7, { type: 'number', format: 'money' })).toBe('$2,087.70');
  expect(formatted('48', { format: 'money', 'x-unit': 'EUR' })).toBe('€48.00');
  expect(formatted(2026, { type: 'integer' })).toBeNull();
  expect(formatted('soon', { format: 'money' })).toBeNull();
  expect(formatted(3, { 'x-unit': 'kg' })).toBeNull();
});

import { expect, it } from 'vitest';
import { reasonIn, withPicked } from './reasons.ts';

const OFFERED = ['Not needed', 'Not needed any more', 'Paid already'];

it.each([
  ['', 'Paid already', 'Paid already'],
  ['  ', 'Paid already', 'Paid already'],
  ['Paid already', 'Not needed', 'Not needed'],
  ['Paid already', 'Paid already', ''],
  ['In May, by Ann', 'Paid already', 'Paid already: In May, by Ann'],
  ['Paid already: In May, by Ann', 'Not needed', 'Not needed: In May, by Ann'],
  ['Paid already: In May, by Ann', 'Paid already', 'In May, by Ann'],
  ['Paid already, in May', 'Paid already', 'in May'],
  ['Not needed any more', 'Not needed', 'Not needed'],
  ['Not neededish', 'Not needed', 'Not needed: Not neededish'],
])('%j with %j clicked is %j', (text, reason, then) => {
  expect(withPicked(text, reason, OFFERED)).toBe(then);
});

it('knows the longest one that a text begins with', () => {
  expect(reasonIn('Not needed any more: x', OFFERED)).toBe('Not needed any more');
  expect(reasonIn('Own words', OFFERED)).toBeNull();
});

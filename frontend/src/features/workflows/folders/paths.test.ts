import { expect, it } from 'vitest';
import { around, insideOf, nameOf, spoken, wayTo } from './paths.ts';

const folders = ['Support', 'Support/Refunds', 'Support/Refunds/EU', 'Sales'].map((path) => ({
  path,
  workflows: 1,
}));

it('reads a path from its end and from its beginning', () => {
  expect(nameOf('Support/Refunds')).toBe('Refunds');
  expect(around('Support/Refunds')).toBe('Support');
  expect(around('Support')).toBe('');
  expect(wayTo('Support/Refunds/EU')).toEqual(['Support', 'Support/Refunds', 'Support/Refunds/EU']);
  expect(wayTo('')).toEqual([]);
  expect(spoken('Support/Refunds')).toBe('Support / Refunds');
});

it('lists what lies right in a folder, not what lies deeper', () => {
  expect(insideOf(folders, '').map(({ path }) => path)).toEqual(['Support', 'Sales']);
  expect(insideOf(folders, 'Support').map(({ path }) => path)).toEqual(['Support/Refunds']);
});

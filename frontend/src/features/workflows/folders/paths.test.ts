import { expect, it } from 'vitest';
import { around, byFolder, insideOf, mistakeIn, nameOf, spoken, wayTo } from './paths.ts';

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

it('says what is wrong with a path, before anything is sent', () => {
  expect(['', '  ', 'Support', 'a/b/c', 'x'.repeat(40)].map(mistakeIn)).toEqual(Array(5).fill(''));
  expect(mistakeIn(`Support/${'x'.repeat(309)}`)).toBe(
    'A name has at most 40 letters, this one has 309.',
  );
  expect(mistakeIn('a/b/c/d')).toBe('At most 3 folders lie in one another.');
  expect(mistakeIn('a//b')).toBe('Write a name before each /.');
});

it('knows where each workflow goes back to', () => {
  const placed = [
    { id: '1', folder: 'HR' },
    { id: '2', folder: '' },
    { id: '3', folder: 'HR' },
  ];
  expect([...byFolder(placed)]).toEqual([
    ['HR', ['1', '3']],
    ['', ['2']],
  ]);
});

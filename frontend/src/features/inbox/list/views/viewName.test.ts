import { expect, it } from 'vitest';
import { isSameName, nameProblem, plainName } from './viewName.ts';

it('says of a name what is wrong with it', () => {
  expect(nameProblem('Large ones')).toBeNull();
  for (const blank of ['', '   ', '\u200b \u200b'])
    expect(nameProblem(blank)).toBe('Write a name for the view.');
  expect(nameProblem('x'.repeat(61))).toBe('This has 61 characters: 60 is the most.');
  expect(nameProblem(` ${'x'.repeat(60)} `)).toBeNull();
  expect(nameProblem('large  ONES', ['Large ones'])).toBe(
    'You have a view Large ones already: choose another name.',
  );
});

it('takes names that read alike as one', () => {
  expect(plainName('  Large   ones ')).toBe('Large ones');
  expect([isSameName(' LARGE ones', 'Large  ones'), isSameName('Large', 'Larger')]).toEqual([
    true,
    false,
  ]);
});

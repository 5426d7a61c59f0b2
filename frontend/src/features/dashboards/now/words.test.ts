import { expect, it } from 'vitest';
import { openWords } from './words.ts';

it('says what the badge does not count', () => {
  expect(openWords(28, 21, 1)).toBe('28 open in the inbox, 21 for you, 1 of a test');
  expect(openWords(27, 26, 1)).toBe('27 open in the inbox, 26 for you, 1 of a test');
  expect(openWords(3, 3, 0)).toBe('3 open in the inbox');
  expect(openWords(2, 0, 2)).toBe('2 open in the inbox, all of them tests');
  expect(openWords(0, 0, 0)).toBe('0 open in the inbox');
  expect(openWords(4, undefined, 0)).toBe('4 open in the inbox');
});

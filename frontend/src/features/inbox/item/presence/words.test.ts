import { expect, it } from 'vitest';
import { decidingText, lookingText, othersThere } from './words.ts';

const person = (id: string, selection: string[] = [], client = id) => ({
  client,
  user: { id, name: id.toUpperCase() },
  selection,
});

it('names each other person once, and who writes in one of several tabs as writing', () => {
  const people = [
    person('me', ['answering']),
    person('rita'),
    person('rita', ['answering'], 'second tab'),
    person('raul'),
  ];

  expect(othersThere(people, 'me')).toEqual({
    answering: [{ name: 'RITA', works: true }],
    looking: [{ name: 'RAUL', works: false }],
  });
});

it('says who decides and who looks, and nothing of nobody', () => {
  const two = [{ name: 'Rita' }, { name: 'Raul' }];

  expect([decidingText([]), lookingText([])]).toEqual([null, null]);
  expect(decidingText(two.slice(0, 1))).toBe('Rita is deciding this just now');
  expect(lookingText(two)).toBe('Rita and Raul have this open too');
});

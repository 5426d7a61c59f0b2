import { expect, test } from 'vitest';
import { reach } from './reach.ts';
import { graph } from '../document/testing.ts';

const looped = graph('__start__>a', 'a>b', 'b>c', 'c>b', 'b>d', 'x>d', 'd>__end__');

test('what follows a node is all that its wires lead to, a loop once, the pills not', () => {
  expect(reach(looped, ['b'], 'downstream').toSorted()).toEqual(['b', 'c', 'd']);
  expect(reach(looped, ['d'], 'downstream')).toEqual(['d']);
});

test('what leads to a node is every way back to the start', () => {
  expect(reach(looped, ['d'], 'upstream').toSorted()).toEqual(['a', 'b', 'c', 'd', 'x']);
  expect(reach(looped, ['a', 'gone'], 'upstream')).toEqual(['a']);
});

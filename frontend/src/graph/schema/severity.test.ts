import { expect, it } from 'vitest';
import type { Problem } from '../../api/types/types.ts';
import { problemWords, worstOf } from './severity.ts';

const of = (...severities: string[]) => severities.map((severity) => ({ severity }) as Problem);

it('counts each kind by itself, and a hint is no problem', () => {
  expect(problemWords(of('hint', 'error', 'hint'))).toEqual(['1 error', '2 hints']);
  expect(problemWords(undefined)).toEqual([]);
});

it('a card is marked by its worst, and not by a hint', () => {
  expect([
    worstOf(of('hint')),
    worstOf(of('warning', 'hint')),
    worstOf(of('warning', 'error')),
  ]).toEqual([null, 'warning', 'error']);
});

import { expect, it } from 'vitest';
import type { Mention } from '../../../api/types/types.ts';
import { commentsWord, saidTo, threadPath } from './words.ts';

const mention = {
  by: { id: 'ada', name: 'Ada' },
  named: true,
  graph: { id: 'g', name: 'Hiring' },
} as Mention;

it('says who spoke to whom, and where', () => {
  expect(saidTo(mention)).toBe('Ada named you in Hiring');
  expect(saidTo({ ...mention, named: false })).toBe('Ada answered in Hiring');
  expect(saidTo({ ...mention, by: null })).toBe('Someone who left named you in Hiring');
});

it('leads to the thread, and counts', () => {
  expect(threadPath('g', 't')).toBe('/workflows/g?thread=t');
  expect([commentsWord(1), commentsWord(3)]).toEqual(['1 comment', '3 comments']);
});

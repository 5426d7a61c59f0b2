import { expect, it } from 'vitest';
import type { Mention } from '../../../api/types/types.ts';
import { commentsWord, placeOf, saidTo, threadPath } from './words.ts';

const mention = {
  kind: 'card',
  thread: 't',
  item: null,
  by: { id: 'ada', name: 'Ada' },
  named: true,
  graph: { id: 'g', name: 'Hiring' },
} as Mention;

it('says who spoke to whom, and where', () => {
  expect(saidTo(mention)).toBe('Ada named you in Hiring');
  expect(saidTo({ ...mention, named: false })).toBe('Ada answered in Hiring');
  expect(saidTo({ ...mention, by: null })).toBe('Someone who left named you in Hiring');
});

it('says of words about an item of the inbox where they stand, and leads to it', () => {
  const question = { ...mention, kind: 'question', thread: null, item: 'i' } as Mention;
  expect(saidTo(question)).toBe('Ada named you in a question before a decision in Hiring');
  expect(saidTo({ ...question, kind: 'answer', graph: null })).toBe(
    'Ada named you in an answer before a decision',
  );
  expect(placeOf(question)).toBe('/inbox/i');
  expect(placeOf(mention)).toBe('/workflows/g?thread=t');
});

it('leads to the thread, and counts', () => {
  expect(threadPath('g', 't')).toBe('/workflows/g?thread=t');
  expect([commentsWord(1), commentsWord(3)]).toEqual(['1 comment', '3 comments']);
});

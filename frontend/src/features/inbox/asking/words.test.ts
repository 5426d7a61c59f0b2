import { expect, it } from 'vitest';
import type { Interrupt, QuestionBack } from '../../../api/types/types.ts';
import { untouched } from '../testing.ts';
import { endText, markOf, waitText } from './words.ts';

const at = (hour: number, minute: number) => new Date(2026, 10, 23, hour, minute);
const question: QuestionBack = {
  by: { id: 'r', name: 'Rita' },
  to: { id: 'o', name: 'Otto' },
  question: 'Which bank?',
  asked_at: at(10, 12).toISOString(),
  until: at(12, 0).toISOString(),
  left_ms: 200 * 60_000 + 59_000,
  outcome: '',
  reply: null,
  ended_at: null,
  ended_by: null,
  asks_me: false,
};
const item = (...asked: QuestionBack[]) =>
  ({ ...untouched, status: 'open', asked_back: asked }) as unknown as Interrupt;

it('says whom it waits for, since when, and where the clock stands', () => {
  expect(waitText(question, at(11, 0))).toBe(
    'Waits for Otto since 10:12, clock stopped at 3 h 20 min',
  );
  expect(waitText({ ...question, left_ms: null }, new Date(2026, 10, 25))).toBe(
    'Waits for Otto since Nov 23, 10:12',
  );
});

it('marks an item by its latest question', () => {
  const answered = { ...question, outcome: 'answered', reply: 'Ours' };
  expect(markOf(item())).toBe(null);
  expect(markOf(item(question))).toBe('waits for Otto');
  expect(markOf(item({ ...question, asks_me: true }))).toBe('asks you');
  expect(markOf(item(answered))).toBe('Otto answered');
  expect(markOf(item(answered, { ...question, outcome: 'withdrawn' }))).toBe(null);
  expect(endText({ ...question, outcome: 'lapsed' })).toContain('did not answer');
});

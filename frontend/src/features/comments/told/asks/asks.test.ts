import { expect, it } from 'vitest';
import { type AskOfMe, asksOf } from '../../../../api/http/workspace/asksMe.ts';
import type { QuestionBack } from '../../../../api/types/types.ts';
import { askedBy, asksPath, asksWord } from './words.ts';

const question = (asks_me: boolean, asked_at: string): QuestionBack => ({
  by: { id: 'rita', name: 'Rita' },
  to: { id: 'anna', name: 'Anna' },
  question: 'Is that the new price?',
  asked_at,
  until: asked_at,
  left_ms: null,
  outcome: '',
  reply: null,
  ended_at: null,
  ended_by: null,
  asks_me,
});

it('takes of an item the question that waits for the person, told apart from former ones', () => {
  const asked_back = [question(false, '10:00'), question(true, '11:00')];

  const asks = asksOf([{ request_id: 'human-1', asked_back }]);

  expect(asks).toEqual([
    { id: 'human-1:11:00', item: 'human-1', by: 'Rita', question: 'Is that the new price?' },
  ]);
  expect(askedBy(asks[0] as AskOfMe)).toBe('Rita asks you before they decide');
});

it('leads to the item, or to all where several ask', () => {
  const one: AskOfMe = { id: 'a:1', item: 'a', by: 'Rita', question: 'Why?' };

  expect(asksPath([one])).toBe('/inbox/a');
  expect(asksPath([one, one])).toBe('/inbox?view=asks-me');
  expect(asksWord([one, one])).toBe('2 questions wait for your answer');
});

import { expect, test } from 'vitest';
import { type OwnToolSource, sentDraft, sentOf } from './sources.ts';

test('a credential goes into its own header, or into the one that is named', () => {
  expect(sentOf({ credential: 'bot', header: '', headers: 'X-Team: blue\n\n' })).toEqual({
    credential: 'bot',
    headers: { 'X-Team': 'blue' },
  });
  expect(sentOf({ credential: 'bot', header: ' X-Key ', headers: '' })).toEqual({
    credential: '',
    headers: { 'X-Key': { credential: 'bot' } },
  });
  expect(() => sentOf({ credential: '', header: '', headers: 'blue' })).toThrow('Name: value');
});

test('what is stored comes back into the form as it was written', () => {
  for (const draft of [
    { credential: 'bot', header: 'X-Key', headers: 'X-Team: a:b' },
    { credential: 'bot', header: '', headers: '' },
    { credential: '', header: '', headers: 'A: 1\nB: 2' },
  ])
    expect(sentDraft(sentOf(draft) as unknown as OwnToolSource)).toEqual(draft);
});

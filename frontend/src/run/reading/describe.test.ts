import { expect, it } from 'vitest';
import type { RunEvent } from '../fold/events.ts';
import { describeEvent, waitWords } from './describe.ts';

const said = (type: string, fields: Record<string, unknown>) =>
  describeEvent({ seq: 1, at: '', type, ...fields } as unknown as RunEvent);

const failed = { error: { code: 'Timeout', message: 'took too long' } };

it.each([
  ['RunStarted', { input: '' }, 'input nothing'],
  ['RunCompleted', { result: 'ok', until: 'b' }, 'stopped after b, as was asked; result ok'],
  ['RunFailed', failed, 'took too long'],
  ['RunCancelled', { by: 'Ann', reason: 'not needed' }, 'by Ann: not needed'],
  ['NodeStarted', { attempt: 2, max_attempts: 3 }, 'attempt 2 of 3'],
  ['NodeStarted', { attempt: 2, max_attempts: 3, resumed: true }, 'resumed'],
  ['NodeWaiting', { on: 'interrupt' }, 'waits for a person'],
  ['AttemptFailed', { attempt: 1, max_attempts: 2, ...failed }, 'attempt 1 of 2: took too long'],
  ['NodeInDoubt', { reason: 'code_changed' }, 'code changed'],
  ['EdgeEvaluated', { expression: 'x > 1', value: false, target: 'b' }, 'x > 1 → no, to b'],
  ['StepIntended', { kind: 'model', hold: { usd: '0.2' } }, 'model, holds $0.2'],
  ['StepCompleted', { tool: 'mail', tokens: 7 }, 'mail, 7 tokens'],
  [
    'DecisionDropped',
    { by: 'Ann', reason: 'content_changed' },
    'Ann: the content was edited since',
  ],
  ['InterruptResolved', { decision: 'skip', by: 'Ann' }, 'skipped by Ann'],
  ['InterruptEscalated', { to: [] }, 'to nobody'],
  [
    'InterruptAskedBack',
    { by: 'Ann', to: 'Otto', question: 'Which bank?' },
    'Ann asks Otto: Which bank?',
  ],
  ['InterruptAnsweredBack', { outcome: 'answered', by: 'Otto', reply: 'Ours' }, 'Otto: Ours'],
  ['InterruptAnsweredBack', { outcome: 'lapsed' }, 'nobody answered in time'],
  ['CompensationRun', { ok: false, tool: 'refund' }, 'undo with refund failed: no reason given'],
  ['BudgetRaised', { add_usd: '2', by: 'Ann' }, 'Budget raised by $2 by Ann'],
  ['RunPaused', {}, ''],
])('%s is told as words', (type, fields, words) => {
  expect(said(type, fields)).toBe(words);
});

it('a decision tells the edits that were made with it, and no others', () => {
  const changes = [
    { key: 'amount', before: 3, after: 4, by: 'Ann', seq: 1 },
    { key: 'letter', before: 'a', after: 'b', by: 'Bob', seq: 9 },
  ];

  const one = said('DecisionRecorded', { decision: 'approved', by: 'Ann', changes });
  const all = said('InterruptResolved', { decision: 'approved', by: 'Bob', changes });

  expect([one.includes('amount'), one.includes('letter')]).toEqual([true, false]);
  expect([all.includes('amount'), all.includes('letter')]).toEqual([true, true]);
});

it('a stand-in is told with whom they stand in for', () => {
  const fields = { decision: 'approved', by: 'Rita', stands_for: 'Raul' };

  expect(said('DecisionRecorded', fields)).toBe('approved by Rita, for Raul');
  expect(said('InterruptResolved', fields)).toBe('approved by Rita, for Raul');
});

it('a wait is told by what it is for', () => {
  expect(waitWords('server')).toContain('model server');
  expect(waitWords('retry_after')).toContain('Retry-After');
  expect(waitWords(null)).toBe('');
});

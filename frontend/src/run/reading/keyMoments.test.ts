import { expect, it } from 'vitest';
import type { RunEvent } from '../fold/events.ts';
import { keyMomentsOf } from './keyMoments.ts';

it('finds failures, questions and answers, and leaves the rest out', () => {
  const events = [
    { seq: 1, type: 'RunStarted', at: '' },
    {
      seq: 2,
      type: 'AttemptFailed',
      at: '',
      key: 'm#1/w[0]#1',
      attempt: 2,
      max_attempts: 5,
      error: { code: 'HttpUnavailable', message: 'no answer' },
    },
    { seq: 3, type: 'NodeStarted', at: '', key: 'a#1' },
    { seq: 4, type: 'InterruptOpened', at: '', key: 'ask#1' },
    { seq: 5, type: 'InterruptResolved', at: '', key: 'ask#1' },
  ] as unknown as RunEvent[];

  expect(keyMomentsOf(events)).toEqual([
    { seq: 2, tone: 'danger', text: 'w · item 1: attempt 2 of 5 failed: no answer' },
    { seq: 4, tone: 'waiting', text: 'ask: asked a person' },
    { seq: 5, tone: 'answered', text: 'ask: was answered' },
  ]);
});

it('marks a step that somebody rejected as answered, and no failure', () => {
  const error = { code: 'ApprovalRejected', message: 'rejected: too much' };
  const events = [
    { seq: 1, type: 'InterruptResolved', at: '', key: 'ask#1' },
    { seq: 2, type: 'NodeFailed', at: '', key: 'ask#1', error },
    { seq: 3, type: 'RunEnding', at: '', status: 'failed', error },
    { seq: 4, type: 'RunFailed', at: '', error },
  ] as unknown as RunEvent[];

  expect(keyMomentsOf(events).map(({ tone, text }) => [tone, text])).toEqual([
    ['answered', 'ask: was answered'],
    ['answered', 'ask: rejected'],
  ]);
});

import { expect, test } from 'vitest';
import type { Member } from '../../api/types/types.ts';
import { describeEvent } from '../reading/describe.ts';
import type { RunEvent } from '../fold/events.ts';
import { noticeOf } from '../fold/notices.ts';
import { namedIn, namesOf } from './people.ts';

const ADA = '3ba7115c-d1b8-4a21-a0a4-d5beeecc068c';
const GONE = '249f4e00-620b-4a70-9b75-9b396a6de7a7';
const at = '2026-11-21T10:00:00Z';
const personOf = namesOf([{ user: { id: ADA, name: 'Ada', email: '' } } as Member]);

test('people of the log are named; who is no member any more keeps the beginning of the id', () => {
  expect([ADA, GONE, 'schedule'].map(personOf)).toEqual(['Ada', '249f4e00', 'schedule']);
});

test('whom the server names beside a run is named, in whichever workspace one is', () => {
  const run = {
    started_by: { id: ADA, name: 'Ada' },
    rejected_by: { id: GONE, name: 'Rita' },
    interrupts: [{ decided: { by: { id: 'b', name: 'Bob' }, stands_for: null } }, {}],
  } as Parameters<typeof namedIn>[0];
  const named = namesOf([], namedIn(run));

  expect([ADA, GONE, 'b', 'cli'].map(named)).toEqual(['Ada', 'Rita', 'Bob', 'cli']);
});

test('a rejection is no failed step', () => {
  const error = { code: 'ApprovalRejected', message: 'rejected: no', node: 'n' };
  const ending = { seq: 8, at, type: 'RunEnding', status: 'failed', reason: 'rejected', error };
  expect(noticeOf(ending as RunEvent, 0, personOf)).toBeNull();
});

test('votes, decisions, raises and cancels say by name who did them', () => {
  const vote = {
    seq: 5,
    at,
    type: 'DecisionRecorded',
    node: 'n',
    key: 'n#1',
    request_id: 'r',
    by: ADA,
    decision: 'approved',
    changes: [{ key: 'amount', before: 77.08, after: 12.5, by: ADA, seq: 5 }],
  } as RunEvent;
  const dropped = {
    seq: 6,
    at,
    type: 'DecisionDropped',
    node: 'n',
    key: 'n#1',
    request_id: 'r',
    by: GONE,
    reason: 'content_changed',
  } as RunEvent;
  const cancelled = { seq: 7, at, type: 'RunCancelled', by: ADA } as RunEvent;
  const raised = {
    seq: 8,
    at,
    type: 'BudgetRaised',
    node: 'n',
    key: 'n#1',
    budget: 'run:r',
    add_usd: '2',
    add_tokens: 0,
    by: ADA,
  } as RunEvent;

  expect([vote, dropped, cancelled].map((event) => describeEvent(event, personOf))).toEqual([
    'approved by Ada with edits: amount 77.08 → 12.5',
    '249f4e00: the content was edited since',
    'by Ada',
  ]);
  expect(noticeOf(raised, 0, personOf)?.text).toBe('Budget raised by $2 by Ada');
});

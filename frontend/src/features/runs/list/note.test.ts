import { expect, it } from 'vitest';
import { noteOf } from './note.ts';

const run = { waiting_for: [], waits_until: null, error: null };

it('calls steps as people do, and says that a run sleeps', () => {
  const error = { code: 'HttpUnavailable', message: 'answered 500', node: 'pay' };
  expect(noteOf({ ...run, waiting_for: ['approval: Review refund'] })).toBe(
    'Approval: Review refund',
  );
  expect(noteOf({ ...run, error: { ...error, label: 'Pay out' } })).toBe('Pay out: answered 500');
  expect(noteOf({ ...run, error })).toBe('pay: answered 500');
  expect(
    noteOf({ ...run, error: { code: 'RunTimedOut', message: 'out of time', node: null } }),
  ).toBe('Out of time');
  expect(noteOf({ ...run, waits_until: '2999-01-01T00:00:00Z' })).toMatch(/^Sleeps until /);
  expect(noteOf({ ...run, queued_behind: 1_200 })).toBe('Queued: 1,200 before it');
  expect(noteOf({ ...run, queued_behind: 0 })).toBe('Queued: next in line');
  expect(noteOf(run)).toBe('');
});

it('says who rejected a run, before why', () => {
  const error = { code: 'ApprovalRejected', message: 'rejected: too much', node: 'review' };
  const rejected = { ...run, error: { ...error, label: 'Review refund' } };
  const rita = { id: 'u1', name: 'Rita' };
  expect(noteOf({ ...rejected, rejected_by: rita })).toBe(
    'Review refund: rejected by Rita: too much',
  );
  expect(noteOf(rejected)).toBe('Review refund: rejected: too much');
});

it('says who rejected what a run had called, without codes', () => {
  const message = "graph 'kid' ended as failed: ApprovalRejected: rejected: too much";
  const error = { code: 'SubgraphFailed', message, node: 'sub', label: 'Check the refund' };
  expect(noteOf({ ...run, error, rejected_by: { id: 'u1', name: 'Rita' } })).toBe(
    'Check the refund: rejected by Rita in the workflow it called: too much',
  );
  expect(noteOf({ ...run, error })).toBe(
    'Check the refund: rejected in the workflow it called: too much',
  );
});

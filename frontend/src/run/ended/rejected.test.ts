import { expect, test } from 'vitest';
import type { InterruptView, RunView } from '../fold/model.ts';
import type { RunEvent } from '../fold/events.ts';
import { eventName, rejectedBelow, rejectedBy, rejectionReason, standingOf } from './rejected.ts';

const no = { node: 'check', decision: 'rejected', by: 'a', standsFor: null } as InterruptView;
const view = (code: string, interrupt: Partial<InterruptView>) =>
  ({
    error: { code, message: 'too much', node: 'check' },
    interrupts: { r: { ...no, ...interrupt } },
  }) as Pick<RunView, 'error' | 'interrupts'>;
const nameOf = (id: string) => ({ a: 'Ann', r: 'Raul' })[id] ?? id;

test.each([
  ['ApprovalRejected', {}, 'by Ann'],
  ['ApprovalRejected', { standsFor: 'r' }, 'by Ann, for Raul'],
  ['ApprovalRejected', { decision: null, by: null }, null],
  ['ApprovalRejected', { node: 'other' }, null],
  ['HttpRejected', {}, null],
])('%s %j says who said no', (code, interrupt, words) => {
  expect(rejectedBy(view(code, interrupt), nameOf)).toBe(words);
});

test.each([
  ['failed', 'ApprovalRejected', 'rejected: too much', 'rejected'],
  ['failed', 'ApprovalRejected', 'nobody decided in time', 'failed'],
  ['failed', 'HttpRejected', 'no', 'failed'],
  ['completed', 'ApprovalRejected', 'too much', 'completed'],
  ['failed', 'SubgraphFailed', "graph 'kid' ended as failed: ApprovalRejected: no", 'rejected'],
  ['failed', 'SubgraphFailed', "graph 'kid' ended as failed: HttpRejected: no", 'failed'],
] as const)('a step that is %s of %s (%s) is told as %s', (status, code, message, told) => {
  expect(standingOf({ status, error: { code, message } })).toBe(told);
});

test('does not say twice that it was rejected', () => {
  expect(rejectionReason('rejected: too much')).toBe('too much');
  expect(rejectionReason('the changed content was not approved')).toBe(
    'the changed content was not approved',
  );
});

test.each([
  ['RunFailed', 'ApprovalRejected', 'rejected: too much', 'Run rejected'],
  ['NodeFailed', 'ApprovalRejected', 'rejected: too much', 'Node rejected'],
  ['RunFailed', 'ApprovalRejected', 'nobody decided in time', 'Run failed'],
  ['RunFailed', 'HttpRejected', 'no', 'Run failed'],
  ['RunEnding', 'ApprovalRejected', 'rejected: too much', 'Run ending'],
])('%s of %s (%s) is called %s', (type, code, message, name) => {
  expect(eventName({ type, error: { code, message } } as unknown as RunEvent)).toBe(name);
});

const kid = (message: string) => `graph 'kid' ended as failed: ${message}`;
test.each([
  ['SubgraphFailed', kid('ApprovalRejected: rejected: too much'), 'too much'],
  ['SubgraphFailed', kid(`SubgraphFailed: ${kid('ApprovalRejected: no')}`), 'no'],
  ['SubgraphFailed', kid('ApprovalRejected: nobody decided in time'), null],
  ['SubgraphFailed', kid('HttpUnavailable: answered 500'), null],
  ['HttpRejected', kid('ApprovalRejected: no'), null],
  [
    'SubgraphFailed',
    kid("HttpRejected: it said: graph 'x' ended as failed: ApprovalRejected: no"),
    null,
  ],
  ['SubgraphFailed', kid('HttpRejected: answered: ApprovalRejected: no'), null],
])('what %s tells of a no below: %s', (code, message, reason) => {
  expect(rejectedBelow({ code, message })).toBe(reason);
});

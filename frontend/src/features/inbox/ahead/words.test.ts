import { describe, expect, it } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import type { ForeseenStep, Foresight } from './queries.ts';
import { backOf, briefOf, doesOf, endOf, isGrave, leadOf, staysText } from './words.ts';

const step = (part: Partial<ForeseenStep>): ForeseenStep => ({
  node: 'pay',
  label: 'Pay',
  does: 'http',
  call: {},
  effect_class: 'unsafe',
  dangerous: false,
  undo: false,
  at_most_usd: null,
  only_if: null,
  why_unknown: null,
  ...part,
});

describe('what is foreseen in words', () => {
  it('says what a step does', () => {
    expect(doesOf(step({ does: 'tool', call: { tool: 'mail' } }))).toBe('calls the tool mail with');
    expect(doesOf(step({ does: 'wait', call: { duration_ms: 7_200_000 } }))).toBe('waits 2 h');
    expect(doesOf(step({ does: 'wait', call: { duration_ms: 30_000 } }))).toBe('waits 30 s');
  });

  it('says it of many without what each hands over', () => {
    const call = { method: 'POST', url: 'https://pay.example/v1/pay?to=Nora' };
    expect(briefOf(step({ call }))).toBe('sends POST to pay.example');
    expect(briefOf(step({ does: 'tool', call: { tool: 'mail' } }))).toBe('calls the tool mail');
    expect(briefOf(step({ does: 'approval' }))).toBe('asks for another approval');
  });

  it('says whether it can be taken back, of what changes something outside only', () => {
    expect(backOf(step({}))).toBe('Cannot be taken back');
    expect(backOf(step({ undo: true }))).toContain('by the workflow');
    expect(backOf(step({ effect_class: 'read' }))).toBe('');
    expect(backOf(step({ does: 'undo' }))).toBe('');
  });

  it('calls grave what is marked or unsafe to repeat', () => {
    expect(isGrave(step({}))).toBe(true);
    expect(isGrave(step({ effect_class: 'read' }))).toBe(false);
    expect(isGrave(step({ effect_class: 'read', dangerous: true }))).toBe(true);
    expect(isGrave(step({ does: 'undo' }))).toBe(false);
  });

  it('says how the run ends', () => {
    const told = (part: Partial<Foresight>) =>
      endOf({ steps: [], ends: null, why: null, passes: [], ...part });

    expect(told({})).toBe('Nothing is sent; the run goes on.');
    expect(told({ passes: ['Note'] })).toBe('Nothing is sent; the run goes on to “Note”.');
    expect(told({ ends: 'completed' })).toBe('The run is done then.');
    expect(told({ ends: 'failed', why: 'rejected' })).toBe(
      'Nothing is sent; the run ends: rejected.',
    );
    expect(told({ steps: [step({})] })).toBe('');
  });

  it('names what is done at once before the end, the last of many', () => {
    const done = (passes: string[]) => endOf({ steps: [], ends: 'completed', why: null, passes });

    expect(done(['Refused'])).toBe('The run goes to “Refused”, and is done then.');
    expect(done(['a', 'b', 'c', 'd'])).toBe('The run goes to “b”, “c” and “d”, and is done then.');
  });
});

it.each([
  [undefined, '', 'If you approve'],
  [{ needed: 2, remaining: 2, approvals: [] }, '', 'If you and one more approve'],
  [{ needed: 2, remaining: 1, approvals: [{}] }, '', 'If you approve'],
  [
    { needed: 2, remaining: 1, approvals: [{}] },
    '{"amount": 4}',
    'Your edit is asked of all anew. If you and one more approve it',
  ],
])('what was approved before an edit counts no more: %#', (quorum, edits, words) => {
  const item = { kind: 'approval', request: {}, quorum } as unknown as Interrupt;

  expect(leadOf(item, 'approved', edits)).toBe(words);
});

it.each([
  [null, ''],
  [{ no_ends_it: true }, ''],
  [{ no_ends_it: false }, 'It stays open: Ann and Bob can still approve it, and read your reason.'],
])('says that a rejection leaves it to others: %#', (quorum, words) => {
  const eligible = [{ name: 'Ann' }, { name: 'Bob' }];
  const item = { quorum, eligible, eligible_count: 2 } as unknown as Interrupt;

  expect(staysText(item)).toBe(words);
});

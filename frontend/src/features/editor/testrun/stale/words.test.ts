import { describe, expect, it } from 'vitest';
import type { ForkPlan, StaleMark } from '../../../../api/types/types.ts';
import { againCost, forecastOf, hasStale, listed, planWords, signOf } from './words.ts';

const nameOf = (id: string) => ({ a: 'Extract', b: 'Classify', ok: 'Invite?' })[id] ?? id;
const mark = (change: Partial<StaleMark>): StaleMark => ({
  node: 'b',
  why: 'changed',
  what: [],
  of: [],
  ...change,
});
const step = (node: string, usd = '0.004', visit = 1) => ({
  key: `${node}#${visit}`,
  node,
  status: 'completed',
  tokens: 10,
  usd,
});
const plan = (change: Partial<ForkPlan>): ForkPlan => ({
  from: { seq: 1, key: 'a#1', node: 'a' },
  reused: [],
  again: [],
  resent: [],
  earliest_with_changes: null,
  points: [],
  stale: [],
  asks: [],
  waiting: false,
  ...change,
});

describe('what is said of stale nodes', () => {
  it('tells a node that changed from one that builds on a change', () => {
    expect(signOf(mark({ what: ['node', 'wires'] }), nameOf)).toEqual({
      changed: true,
      words: 'Changed since the last run: its settings and the wires that lead to it',
    });
    expect(signOf(mark({ why: 'reads', of: ['a'] }), nameOf)).toEqual({
      changed: false,
      words: 'Not up to date: builds on Extract, which changed since the last run',
    });
    expect(signOf(mark({ what: ['new'] }), nameOf)?.words).toBe('New since the last run');
    expect(signOf(mark({ why: 'failed' }), nameOf)).toBeNull();
    // a node that was tried alone ran as it is: what is meant is the run of all
    expect(signOf(mark({ what: ['pin'] }), nameOf)?.words).toBe(
      'Changed since the last run: its pinned answer',
    );
    expect(signOf(mark({ what: ['pin'] }), nameOf, { pinned: false })?.words).toBe(
      'Runs for real again: its answer was pinned',
    );
    expect(signOf(mark({ what: ['node'] }), nameOf, { alone: true })?.words).toBe(
      'Changed since the last whole run: its settings',
    );
  });

  it('adds up what runs again and counts nodes that are taken over once', () => {
    const found = plan({
      reused: [step('a'), step('x'), step('x', '0', 2)],
      again: [step('b', '0.008'), step('c', '0.004')],
    });
    expect(forecastOf(found)).toBe('≈ $0.012, 2 reused');
    expect(forecastOf({ ...found, reused: [] })).toBe('≈ $0.012');
    expect(forecastOf({ ...found, waiting: true })).toBe('≈ $0.012 and what is new, 2 reused');
  });

  it('says what another run costs only where the last one came to its end', () => {
    const found = plan({ reused: [step('a')], again: [step('b', '0.016')] });
    expect(againCost(found, 'completed')).toBe('≈ $0.02');
    expect(againCost(found, 'failed')).toBeNull();
    expect(againCost(found, 'cancelled')).toBeNull();
    expect(againCost(found, null)).toBeNull();
  });

  it('names what runs, what asks and what is taken over', () => {
    const found = plan({ reused: [step('a')], again: [step('b'), step('ok')], asks: ['ok'] });
    expect(planWords(found, nameOf)).toBe(
      'Runs again: Classify. Asks again: Invite?. Taken over: Extract.',
    );
  });

  it('has nothing to do where all holds', () => {
    expect(hasStale(plan({ again: [step('b')] }))).toBe(false);
    expect(hasStale(plan({ waiting: true }))).toBe(true);
    expect(hasStale(plan({ stale: [mark({})] }))).toBe(true);
  });

  it('lists the first few of many names', () => {
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
    expect(listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b and 3 more');
  });
});

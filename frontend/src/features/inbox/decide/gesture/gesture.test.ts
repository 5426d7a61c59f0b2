import { describe, expect, it } from 'vitest';
import type { Foresight } from '../../ahead/queries.ts';
import type { Interrupt } from '../../../../api/types/types.ts';
import { untouched } from '../../testing.ts';
import { emptyDraft } from '../answer.ts';
import { gestureOf, isTyped, typedFor } from './gesture.ts';

const grave: Foresight = {
  steps: [
    {
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
    },
  ],
  ends: null,
  why: null,
  passes: [],
};
const harmless: Foresight = { steps: [], ends: 'completed', why: null, passes: [] };
const item = (confirm?: 'never' | 'dangerous' | 'type'): Interrupt => ({
  ...untouched,
  request_id: 'i',
  run: {
    id: 'r',
    title: '',
    graph: { id: 'g', slug: 'g', name: 'G' },
    started_by: null,
    is_test: false,
  },
  node: 'review',
  node_label: 'Review',
  key: 'review#1',
  kind: 'approval',
  status: 'open',
  opened_at: '2026-01-01T00:00:00Z',
  expires_at: null,
  request: { data: { total: 2087.7, name: 'Nora' }, ...(confirm ? { policy: { confirm } } : {}) },
  content_hash: 'h',
  can_decide: true,
  decided: null,
  spend_usd: '0',
  amount: 2087.7,
});

describe('the gesture of an approval', () => {
  it('is none unless the policy asks for one', () => {
    expect(gestureOf(item(), grave)).toBe('none');
    expect(gestureOf(item('never'), grave)).toBe('none');
  });

  it('is asked for before what is dangerous, or not known yet', () => {
    expect(gestureOf(item('dangerous'), grave)).toBe('mean');
    expect(gestureOf(item('dangerous'), undefined)).toBe('mean');
    expect(gestureOf(item('dangerous'), harmless)).toBe('none');
    expect(gestureOf(item('type'), harmless)).toBe('type');
  });

  it('takes the sum in any way of writing it', () => {
    const one = item('type');
    const typed = (text: string) => isTyped(one, { ...emptyDraft(one), typed: text });
    expect(typedFor(one, emptyDraft(one))).toBe('2087.7');
    expect(['2087.70', '$2,087.70', ' 2087.7 '].map(typed)).toEqual([true, true, true]);
    expect(['', '2087', 'approve', '20877'].map(typed)).toEqual([false, false, false, false]);
  });

  it('takes a word where there is no sum', () => {
    const one = { ...item('type'), amount: null };
    expect(isTyped(one, { ...emptyDraft(one), typed: 'Approve' })).toBe(true);
    expect(isTyped(one, { ...emptyDraft(one), typed: '' })).toBe(false);
  });
});

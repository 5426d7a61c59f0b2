import { describe, expect, it } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { runTitleOf } from '../../names.ts';
import { untouched } from '../../testing.ts';

const item = (title: string, prompt: string): Interrupt => ({
  ...untouched,
  request_id: 'i',
  run: {
    id: 'r',
    title,
    graph: { id: 'g', slug: 'g', name: 'G' },
    started_by: null,
    is_test: false,
  },
  node: 'check',
  node_label: 'Check',
  key: 'check#1',
  kind: 'approval',
  status: 'open',
  opened_at: '',
  expires_at: null,
  request: { prompt, data: {} },
  content_hash: null,
  can_decide: true,
  decided: null,
  spend_usd: '0',
});

describe('the title of the run of an item', () => {
  it('stands beside a title that says nothing of it', () => {
    expect(runTitleOf(item('Invoice 17', 'Pay this?'))).toBe('Invoice 17');
    expect(runTitleOf(item('Nora · 17', 'Pay Nora 175 USD?'))).toBe('Nora · 17');
  });

  it('is not said by longer words that it is a part of', () => {
    expect(runTitleOf(item('Invoice 17', 'Pay invoice 175?'))).toBe('Invoice 17');
    expect(runTitleOf(item('Ann Lee', 'Pay Joann Lee?'))).toBe('Ann Lee');
    expect(runTitleOf(item('Ann Lee', 'Pay Joann Lee, or Ann Lee?'))).toBe('');
    expect(runTitleOf(item('(a) 1', 'Pay for (a) 12?'))).toBe('(a) 1');
    expect(runTitleOf(item('No. 7', 'Pay no. 7.'))).toBe('');
  });

  it('is left out where the title says it already, in whatever order', () => {
    expect(runTitleOf(item('Invoice 17', 'Pay invoice 17?'))).toBe('');
    expect(runTitleOf(item('Nora · 17', 'Pay 17 to Nora?'))).toBe('');
    expect(runTitleOf(item('', 'Pay this?'))).toBe('');
  });
});

import { describe, expect, it } from 'vitest';
import { firstDay } from '../range/range.ts';
import { change, nameOf } from './SpendBoard.tsx';
import { runsBehind, runsUnpriced } from './spendLinks.ts';

describe('spend over days', () => {
  it('begins on the workspace’s first day', () => {
    const late = new Date('2026-11-22T23:30:00Z');
    expect(firstDay(7, 'UTC', late)).toBe('2026-11-16');
    expect(firstDay(1, 'Asia/Tokyo', late)).toBe('2026-11-23');
  });

  it('says how it compares', () => {
    expect(change(150, 100, 30)).toBe('+50 % on the 30 days before');
    expect(change(50, 100, 7)).toBe('−50 % on the 7 days before');
    expect(change(5, 0, 7)).toBe('nothing in the 7 days before');
  });

  it('names what is gone, and what there never was', () => {
    expect(nameOf('by_trigger', { id: 'c9527d42', name: '' })).toBe('A trigger that is gone');
    expect(nameOf('by_trigger', { id: '', name: '' })).toBe('no trigger');
    expect(nameOf('by_node', { id: 'greet', name: 'Greet' })).toBe('Greet');
  });

  it('leads from each sum to its runs', () => {
    const days = { since: '2026-11-01', until: '2026-11-22' };
    const row = {
      id: '',
      name: '',
      graph: null,
      graph_slug: null,
      calls: 1,
      unpriced: 0,
      tokens: 1,
      usd: '1',
    };
    const named = { ...row, id: 'draft', graph_slug: 'support' };
    const query = (address: string) => new URLSearchParams(address.split('?')[1]);

    expect(runsUnpriced({ ...days, graph: 'support' })).toBe(
      '/runs?spent_since=2026-11-01&spent_until=2026-11-22&slug=support&unpriced=true',
    );
    expect(query(runsBehind('by_node', named, days)).get('spent_at')).toBe('draft');
    expect(query(runsBehind('by_node', named, days)).get('slug')).toBe('support');
    expect(query(runsBehind('by_person', row, days)).get('person')).toBe('-');
    expect(query(runsBehind('by_day', { ...row, id: '2026-11-03' }, days)).get('spent_until')).toBe(
      '2026-11-03',
    );
    expect(query(runsBehind('', null, { ...days, graph: 'support' })).get('slug')).toBe('support');
  });
});

import { describe, expect, it } from 'vitest';
import type { TriggerCard } from '../../../api/http/runs/triggers.ts';
import { faresOf, lineOf, refusedOf } from './cardWords.ts';

const now = new Date('2026-11-24T12:00:00Z');
const card: TriggerCard = {
  id: 't',
  kind: 'webhook',
  name: 'Orders',
  on: true,
  last_at: null,
  next_at: null,
  refused: 0,
};

describe('a trigger’s card', () => {
  it('says when it is due, else when it last started something', () => {
    expect(faresOf(card, now)).toBe('on, not called yet');
    expect(faresOf({ ...card, last_at: '2026-11-24T11:00:00Z' }, now)).toMatch(/^last 1 h/);
    expect(faresOf({ ...card, kind: 'schedule', next_at: '2026-11-24T14:00:00Z' }, now)).toMatch(
      /^next in 2 h/,
    );
    expect(faresOf({ ...card, on: false, last_at: '2026-11-24T11:00:00Z' }, now)).toBe('off');
  });

  it('says what was refused only where something was', () => {
    expect(refusedOf(card)).toBe('');
    expect(refusedOf({ ...card, refused: 3 })).toBe('3 refused in 24 hours');
    expect(refusedOf({ ...card, refused: 100 })).toBe('100 or more refused in 24 hours');
  });

  it('is told whole to ears', () => {
    expect(lineOf({ ...card, refused: 1 }, now)).toBe(
      'Orders, webhook, on, has started nothing yet, 1 refused in 24 hours',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { change, firstDay } from './SpendBoard.tsx';

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
});

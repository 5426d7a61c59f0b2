import { describe, expect, it } from 'vitest';
import { memoryPatch, startInput } from './forking.ts';
import { applyEvents } from '../fold/view.ts';
import { emptyView } from '../fold/model.ts';
import type { RunEvent } from '../fold/events.ts';

describe('memoryPatch', () => {
  const before = { a: 1, b: { c: [1] }, d: 'x' };

  it('names only the keys that differ', () => {
    expect(memoryPatch(before, '{"a": 1, "b": {"c": [2]}, "d": "x", "e": true}')).toEqual({
      b: { c: [2] },
      e: true,
    });
  });

  it('removes what is gone', () => {
    expect(memoryPatch(before, '{"a": 1, "b": {"c": [1]}}')).toEqual({ d: null });
  });

  it('is empty when nothing changes and null for what is no object', () => {
    expect(memoryPatch(before, JSON.stringify(before))).toEqual({});
    expect(memoryPatch(before, '[1]')).toBeNull();
    expect(memoryPatch(before, '{')).toBeNull();
  });
});

describe('startInput', () => {
  it('keeps a text a text and reads everything else as JSON', () => {
    expect(startInput('hi', '12')).toEqual({ value: '12' });
    expect(startInput({ a: 1 }, '{"a": 2}')).toEqual({ value: { a: 2 } });
    expect(startInput(null, '"x"')).toEqual({ value: 'x' });
  });

  it('tells what is as it was from what cannot be read', () => {
    expect(startInput('hi', 'hi')).toBeNull();
    expect(startInput({ a: [1] }, '{ "a": [1] }')).toBeNull();
    expect(startInput({ a: 1 }, '{')).toBeUndefined();
  });
});

describe('the fold', () => {
  it('takes over what was changed where the run was forked', () => {
    const at = '2026-11-22T10:00:00.000Z';
    const events = [
      { seq: 1, type: 'RunStarted', at, graph_id: 'g', memory: { a: 1, b: 2 } },
      { seq: 2, type: 'MemoryEdited', at, set: { a: 5 }, removed: ['b'], by: 'ann' },
    ] as unknown as RunEvent[];
    expect(applyEvents(emptyView(), events).memory).toEqual({ a: 5 });
  });
});

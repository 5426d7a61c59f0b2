import { describe, expect, it } from 'vitest';
import { merge3 } from './merge.ts';

const base = { label: 'Ask', config: { prompt: 'one', model: 'a' }, position: { x: 0, y: 0 } };

describe('a merge of three', () => {
  it('takes from each side what only that side changed', () => {
    const mine = { ...base, config: { prompt: 'two', model: 'a' } };
    const theirs = { ...base, label: 'Ask again', config: { prompt: 'one', model: 'b' } };

    expect(merge3(base, mine, theirs, 'mine')).toEqual({
      value: { label: 'Ask again', config: { prompt: 'two', model: 'b' }, position: base.position },
      conflicts: [],
    });
  });

  it('names the field that both changed, and keeps the preferred side of that field alone', () => {
    const mine = { ...base, label: 'Mine', config: { prompt: 'mine', model: 'a' } };
    const theirs = { ...base, config: { prompt: 'theirs', model: 'b' } };

    const kept = merge3(base, mine, theirs, 'mine');
    const given = merge3(base, mine, theirs, 'theirs');

    expect([kept.conflicts, given.conflicts]).toEqual([['config.prompt'], ['config.prompt']]);
    expect(kept.value).toMatchObject({ label: 'Mine', config: { prompt: 'mine', model: 'b' } });
    expect(given.value).toMatchObject({ label: 'Mine', config: { prompt: 'theirs', model: 'b' } });
  });

  it('finds no conflict where both made the same change', () => {
    const both = { ...base, label: 'Same' };

    expect(merge3(base, both, { ...both }, 'theirs')).toEqual({ value: both, conflicts: [] });
  });

  it('takes a field away that one side removed, and asks when the other changed it', () => {
    const without = { label: 'Ask', position: base.position };

    expect(merge3(base, without, base, 'mine').value).toEqual(without);
    expect(merge3(base, without, { ...base, config: { prompt: 'x' } }, 'theirs')).toMatchObject({
      value: { config: { prompt: 'x' } },
      conflicts: ['config'],
    });
  });

  it('compares lists whole: two changed lists are a conflict', () => {
    const conflict = merge3({ keys: ['a'] }, { keys: ['a', 'b'] }, { keys: ['a', 'c'] }, 'mine');

    expect(conflict).toEqual({ value: { keys: ['a', 'b'] }, conflicts: ['keys'] });
  });

  it('merges a list of things with ids thing by thing', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => ({ id, model: 'x' }));
    const other = { ...a, model: 'y' };

    expect(merge3([a], [a, b], [a, c], 'mine')).toEqual({ value: [a, c, b], conflicts: [] });
    expect(merge3(null, [a], [b], 'mine')).toEqual({ value: [b, a], conflicts: [] });
    expect(merge3([a, b], [other, b], [a], 'mine')).toEqual({ value: [other], conflicts: [] });
    expect(merge3([a, b, c], [c, a, b], [a, b, c, d], 'mine').value).toEqual([c, a, b, d]);
    expect(merge3([a], [other], [{ ...a, model: 'z' }], 'theirs')).toEqual({
      value: [{ ...a, model: 'z' }],
      conflicts: ['a.model'],
    });
    expect(merge3([a, b], [b], [other, b], 'mine')).toEqual({ value: [b], conflicts: ['a'] });
  });

  it('takes such a list that is not there for an empty one', () => {
    const [a, b] = ['a', 'b'].map((id) => ({ id, model: 'x' }));
    const other = { ...a, model: 'y' };

    expect(merge3([a], null, [a, b], 'mine')).toEqual({ value: [b], conflicts: [] });
    expect(merge3([a], [a, b], null, 'mine')).toEqual({ value: [b], conflicts: [] });
    expect(merge3([a, b], null, [b], 'theirs')).toEqual({ value: null, conflicts: [] });
    expect(merge3([a], null, [other], 'mine')).toEqual({ value: null, conflicts: ['a'] });
    expect(merge3([a], null, [other], 'theirs')).toEqual({ value: [other], conflicts: ['a'] });
    expect(merge3({ of: [a, b] }, {}, { of: [b] }, 'mine').value).toEqual({});
  });

  it('keeps the order of the side that alone put things into such a list', () => {
    const [a, b, x] = ['a', 'b', 'x'].map((id) => ({ id, model: 'x' }));
    const other = { ...b, model: 'y' };

    expect(merge3([a, b], [a, x, b], [a, other], 'mine').value).toEqual([a, x, other]);
    expect(merge3([a, b], [a, other], [a, x, b], 'mine').value).toEqual([a, x, other]);
    expect(merge3([a, b], [b, a], [a, b, x], 'mine').value).toEqual([b, a, x]);
    expect(merge3([a, b], [a, b, x], [b, a], 'mine').value).toEqual([b, a, x]);
  });

  it('compares such lists whole where both put them in another order, or an id is no name', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id }));

    expect(merge3([a, b, c], [b, a, c], [c, a, b], 'mine').conflicts).toEqual(['']);
    expect(merge3([a], [a, a], [a, b], 'mine').conflicts).toEqual(['']);
    expect(merge3([{ id: 1 }], [{ id: 2 }], [{ id: 3 }], 'mine').conflicts).toEqual(['']);
  });

  it('knows a thing that is gone on one side', () => {
    expect(merge3(base, null, base, 'theirs')).toEqual({ value: null, conflicts: [] });
    expect(merge3(base, null, { ...base, label: 'Theirs' }, 'mine')).toEqual({
      value: null,
      conflicts: [''],
    });
  });

  it('merges what both sides added under one name, field by field', () => {
    expect(merge3(null, { a: 1 }, { b: 2 }, 'mine')).toEqual({
      value: { a: 1, b: 2 },
      conflicts: [],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { closedBy, formOf } from '../code/completing.ts';
import { droppedValue, isValue } from './dragging.ts';
import { detailOf, withKnown } from './known.ts';
import { offersOf, withFallback } from './offers.ts';

const info = (name: string, more = {}) => ({ name, detail: '', readable: true, ...more });

describe('a value that is chosen between braces', () => {
  it('is whole where they are closed behind it, and goes on where more follows', () => {
    expect([closedBy('}}, you are'), closedBy(' }}'), closedBy('')]).toEqual([2, 3, 0]);
    expect([closedBy(' + 1 }}'), closedBy('.size() }}'), closedBy(' {{ x }}')]).toEqual([0, 0, 0]);
  });
});

describe('a value of the tree', () => {
  it('has the last value of the run, and the next input for what goes in', () => {
    const told = {
      values: [
        { path: ['memory', 'level'], kind: 'text' as const, text: 'senior', size: null },
        { path: ['outputs', 'x-1'], kind: 'list' as const, text: '[1]', size: 1 },
        { path: ['input', 'cv'], kind: 'text' as const, text: 'Ten years', size: null },
        { path: ['input', 'role'], kind: 'text' as const, text: 'Engineer', size: null },
      ],
      unproven: [['memory', 'level']],
      idle: [],
      used: null,
    };
    const names = ['memory.level', "outputs['x-1']", 'input.cv', 'input.role', 'input.age', 'goal'];
    const previous = info('previous', { same: "outputs['x-1']" });
    const given = { cv: 'x'.repeat(500), role: 'Engineer', age: 7 };

    const known = withKnown([...names.map((name) => info(name)), previous], told, given);

    expect(known).toEqual([
      info('memory.level', { last: 'senior', kind: 'text', maybe: true }),
      info("outputs['x-1']", { last: '[1]', kind: 'list', size: 1 }),
      info('input.cv', { last: 'Ten years', next: `${'x'.repeat(120)}…`, kind: 'text' }),
      info('input.role', { last: 'Engineer', kind: 'text' }),
      info('input.age', { next: '7', kind: 'number' }),
      info('goal'),
      { ...previous, last: '[1]', kind: 'list', size: 1 },
    ]);
  });

  it('says its declared type, else what it was last', () => {
    expect(
      detailOf(info('memory.a', { detail: 'text · written by A', typed: true, kind: 'list' })),
    ).toBe('text · written by A');
    expect(detailOf(info('outputs.a', { detail: 'answer of A', kind: 'list', size: 3 }))).toBe(
      'list of 3 · answer of A',
    );
    expect(detailOf(info('goal', { detail: 'the task' }))).toBe('the task');
  });

  it.each([
    ['memory.level', 'text', "has(memory.level) ? memory.level : ''"],
    ['memory.sum', 'number', 'has(memory.sum) ? memory.sum : 0'],
    ["outputs['x-1']", 'list', "outputs[?'x-1'].orValue([])"],
  ])('%s that may be missing has a fallback', (name, kind, text) => {
    expect(withFallback(name, kind)).toBe(text);
  });

  it('is offered whole, first, by number and each where it is a list', () => {
    const rows = info('memory.rows', { kind: 'list', maybe: true });

    expect(offersOf(rows, 'expression').map(({ text }) => text)).toEqual([
      'has(memory.rows) ? memory.rows : []',
      'memory.rows',
      'memory.rows[0]',
      'memory.rows[1]',
      'memory.rows.map(item, item)',
    ]);
    expect(offersOf(rows, 'template').map(({ label }) => label)).toEqual([
      'Use a fallback',
      'With commas',
      'A line each',
      'All',
      'First',
      'Number …',
      'Each',
    ]);
    const parts = info('memory.rows', { kind: 'list', last: '[{"a":1}]' });
    expect(offersOf(parts, 'template')[0]?.label).toBe('All');
    expect(offersOf(rows, 'jsonpath').at(-1)?.text).toBe('memory.rows[*]');
    expect(offersOf(rows, 'key')).toEqual([]);
  });

  it('is written as its field reads it', () => {
    expect(formOf('jsonpath', '', 0, 'memory.rows[0]')).toBe('$.memory.rows[0]');
    expect(formOf('template', 'Hi ', 3, withFallback('memory.a'))).toBe(
      "{{ has(memory.a) ? memory.a : '' }}",
    );
    expect(formOf('template', 'Hi {{ ', 6, 'memory.a')).toBe('memory.a');
  });

  it('is told from anything else that is dropped', () => {
    const transfer = (type: string, data: string) =>
      ({
        types: [type],
        getData: (asked: string) => (asked === type ? data : ''),
      }) as unknown as DataTransfer;
    const ours = 'application/x-graphwright-value';

    expect(isValue(transfer(ours, ''))).toBe(true);
    expect(isValue(transfer('Files', ''))).toBe(false);
    expect(droppedValue(transfer(ours, '{"name":"memory.a","grant":"a"}'))).toEqual(
      info('memory.a', { grant: 'a' }),
    );
    expect(droppedValue(transfer(ours, '{"name":7}'))).toBeNull();
    expect(droppedValue(transfer('text/plain', 'x'))).toBeNull();
  });
});

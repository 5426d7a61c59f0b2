import { expect, test } from 'vitest';
import {
  conditionWords,
  fieldWord,
  opsOf,
  type Condition,
  type Op,
  type Row,
} from './condition.ts';
import { read, readOne } from './read.ts';
import { write } from './write.ts';

const row = (op: Op, ...values: Row['values']): Row => ({ field: 'memory.level', op, values });

test.each([
  [row('is', 'senior'), "memory.level == 'senior'"],
  [row('is', true), 'memory.level == true'],
  [row('isNot', "it's"), "memory.level != 'it\\'s'"],
  [row('oneOf', 'a', 'b'), "memory.level in ['a', 'b']"],
  [row('contains', 'x'), "memory.level.contains('x')"],
  [row('starts', 'x'), "memory.level.startsWith('x')"],
  [row('has', 'x'), "'x' in memory.level"],
  [row('above', 5), 'memory.level > 5'],
  [row('atLeast', -1.5), 'memory.level >= -1.5'],
  [row('below', '2026-01-01'), "memory.level < '2026-01-01'"],
  [row('atMost', 1e21), 'memory.level <= 1e+21'],
  [row('empty'), 'size(memory.level) == 0'],
  [row('filled'), 'size(memory.level) != 0'],
  [row('there'), 'has(memory.level)'],
  [row('missing'), '!has(memory.level)'],
  [{ ...row('is', 'a'), field: "outputs['x-1'].kind" }, "outputs['x-1'].kind == 'a'"],
  [{ ...row('contains', 'a'), field: 'memory.contains' }, "memory.contains.contains('a')"],
])('a row is written in one way, and read back: %j', (one, text) => {
  expect(write({ match: 'all', rows: [one] })).toBe(text);
  expect(read(text)).toEqual({ match: 'all', rows: [one] });
  expect(readOne(text)).toEqual(one);
});

test('rows are joined by all or by any', () => {
  for (const match of ['all', 'any'] as const) {
    const condition: Condition = { match, rows: [row('is', 'a'), row('above', 2)] };
    expect(read(write(condition))).toEqual(condition);
  }
});

test('a row that is not whole yet is left out', () => {
  const rows = [row('is', 'a'), row('is'), { ...row('is', 'b'), field: '' }];
  expect(write({ match: 'all', rows })).toBe("memory.level == 'a'");
});

test.each([
  "memory.level=='senior'",
  'memory.level == "senior"',
  "(memory.level == 'a')",
  "memory.level == 'a' && memory.x > 1 || goal == 'b'",
  "memory.level == 'a'  && memory.x > 1",
  "'a' == memory.level",
  'memory.level == memory.other',
  "memory.level == 'a' ? true : false",
  "memory['level'] == 'a' &&",
  'memory.list.exists(x, x > 1)',
  'size(memory.list) > 2',
  'memory.n == 1.0',
  'memory.n == 01',
  "unknown.level == 'a'",
  "memory.level == 'a",
  "memory.level == 'a\\x41'",
  "memory.level == 'a' // why",
  '',
  ' ',
])('what rows do not say in exactly this way stays an expression: %s', (text) =>
  expect(read(text)).toBeNull(),
);

test('a very long text is not looked at', () =>
  expect(read(`memory.level == '${'x'.repeat(5000)}'`)).toBeNull());

test('a condition is told in words', () => {
  const rows = [row('is', 'senior'), { ...row('is', true), field: 'input.urgent' }];
  expect(conditionWords({ match: 'all', rows })).toBe('level is senior and urgent is yes');
  expect(fieldWord("outputs['x-1']")).toBe('x-1');
  expect(fieldWord('memory.Straße')).toBe('Straße');
});

test('operators fit the kind of the field', () => {
  expect(opsOf('boolean')).not.toContain('contains');
  expect(opsOf('money')).toContain('atLeast');
  expect(opsOf('one')[0]).toBe('is');
});

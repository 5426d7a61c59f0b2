import { expect, test } from 'vitest';
import { itemsIn, itemsOf, joined, listsIn, withCommas } from './listText.ts';

const names = [
  { name: 'memory.tags', items: 'text' as const },
  { name: 'input.sums', items: 'plain' as const },
  { name: 'memory.rows', items: 'parts' as const },
  { name: 'memory.level' },
];

test('what a list holds is said by its schema, else by what it last was', () => {
  const of = (type: string) => itemsOf({ type: 'array', items: { type } });
  expect(['string', 'integer', 'object', 'null'].map(of)).toEqual([
    'text',
    'plain',
    'parts',
    undefined,
  ]);
  expect([itemsOf({ type: 'string' }), itemsOf({ type: 'array' }), itemsOf(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const cut = ['["a", "b', '[1.5', '[true', '[{"a"', '[]', 'text', undefined];
  expect(cut.map(itemsIn)).toEqual([
    'text',
    'plain',
    'plain',
    'parts',
    undefined,
    undefined,
    undefined,
  ]);
});

test('only texts can be joined as they are', () => {
  expect(joined('memory.tags', 'text', ', ')).toBe('memory.tags.join(", ")');
  expect(joined('memory.x', undefined, '\\n')).toBe(
    String.raw`memory.x.map(item, string(item)).join("\n")`,
  );
});

test('lists that stand alone between braces are found, and written with commas', () => {
  const text = 'Tags: {{ memory.tags }}, {{memory.rows}}, {{ memory.tags[0] }}, {{input.sums}}.';
  const found = listsIn(text, names);
  expect(found.map(({ name }) => name)).toEqual(['memory.tags', 'input.sums']);
  expect(withCommas(text, found)).toBe(
    'Tags: {{ memory.tags.join(", ") }}, {{memory.rows}}, {{ memory.tags[0] }}, {{ input.sums.map(item, string(item)).join(", ") }}.',
  );
  expect(listsIn('{{ memory.level }} {{ size(memory.tags) }}', names)).toEqual([]);
});

test('a long text that opens braces and never closes them is read once', () => {
  const spaces = `{{${' '.repeat(200_000)}`;
  expect(listsIn(spaces, names)).toEqual([]);
  expect(withCommas(`${'{{ '.repeat(50_000)}x`, names)).toHaveLength(150_001);
  expect(listsIn(`{{\n memory.tags }}`, names)).toEqual([names[0]]);
});

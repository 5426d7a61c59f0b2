import { expect, test } from 'vitest';
import type { JsonSchema } from '../../api/types/types.ts';
import { blankOf, nodeReferences, resolve, variantsOf, withValue } from './schema.ts';
import { memoryKeys, namesForNode } from './names.ts';
import { withRecords } from '../document/diff.ts';
import { graph, nodeType } from '../document/testing.ts';

const root: JsonSchema = {
  $defs: {
    Judge: {
      type: 'object',
      properties: { type: { const: 'judge' }, agent: { type: 'string', 'x-widget': 'agent' } },
      required: ['type'],
    },
    Path: {
      type: 'object',
      properties: { type: { const: 'path' }, path: { type: 'string' } },
      required: ['type', 'path'],
    },
  },
};

test('references and nullable unions resolve to the schema itself, with the outer words', () => {
  expect(
    resolve({ anyOf: [{ $ref: '#/$defs/Path' }, { type: 'null' }], title: 'Where' }, root),
  ).toMatchObject({ title: 'Where', type: 'object' });
});

test('the name of a definition in code is no label, a title of its own is', () => {
  const defs: JsonSchema = {
    $defs: {
      StepUndo: { type: 'object', title: 'StepUndo' },
      Judge: { type: 'object', title: 'The judge' },
    },
  };

  expect(resolve({ $ref: '#/$defs/StepUndo' }, defs).title).toBeUndefined();
  expect(resolve({ $ref: '#/$defs/Judge' }, defs).title).toBe('The judge');
});

test('a union of objects is told apart by its constant', () => {
  const union: JsonSchema = { oneOf: [{ $ref: '#/$defs/Judge' }, { $ref: '#/$defs/Path' }] };

  expect(variantsOf(union, root)).toMatchObject({
    key: 'type',
    options: [{ value: 'judge' }, { value: 'path' }],
  });
  expect(blankOf({ $ref: '#/$defs/Path' }, root)).toEqual({ type: 'path', path: '' });
});

test('nodes that a config names are found at any depth', () => {
  const type = nodeType('swarm', {
    swarm: {
      anyOf: [
        {
          type: 'object',
          properties: { peers: { type: 'array', items: { type: 'string' }, 'x-widget': 'nodes' } },
        },
        { type: 'null' },
      ],
    },
  });

  expect(
    nodeReferences(type, { id: 's', type: 'swarm', config: { swarm: { peers: ['a', 'b'] } } }),
  ).toEqual(['a', 'b']);
});

test('a value is set at a path without touching the rest', () => {
  const value = { a: [{ b: 1 }], c: 2 };

  expect(withValue(value, ['a', 0, 'b'], 5)).toEqual({ a: [{ b: 5 }], c: 2 });
  expect(value.a[0]).toEqual({ b: 1 });
});

test('keys know who writes and who reads them; names say whether the node may read them', () => {
  const records = withRecords(graph('a>b'), [
    {
      kind: 'node',
      id: 'a',
      value: { id: 'a', type: 'step', label: 'First', write_keys: ['topic'] },
    },
    {
      kind: 'node',
      id: 'b',
      value: { id: 'b', type: 'step', label: 'Second', read_keys: ['topic'] },
    },
  ]);
  const types = new Map([['step', nodeType('step')]]);
  const node = records.nodes.get('b');
  if (!node) throw new Error('The node is gone.');

  expect(memoryKeys(records, types).find((info) => info.key === 'topic')).toMatchObject({
    writers: ['First'],
    readers: ['Second'],
  });
  const names = namesForNode(records, types, node);
  expect(names.find((info) => info.name === 'memory.topic')?.readable).toBe(true);
  expect(names.find((info) => info.name === 'outputs.a')?.readable).toBe(false);
  expect(names.some((info) => info.name === 'outputs.b')).toBe(false);
});

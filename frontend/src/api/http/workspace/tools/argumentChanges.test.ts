import { expect, test } from 'vitest';
import { argumentChanges } from './argumentChanges.ts';
import type { SourceTool } from './tools.ts';

const parameters = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const tool = (before: object | null, after: object) =>
  ({ before: before && { parameters: before }, parameters: after }) as unknown as SourceTool;

test('each argument that was added, removed or changed is a sentence', () => {
  const before = parameters({ id: { type: 'string' }, note: {}, all: { type: 'boolean' } }, ['id']);
  const after = parameters(
    { id: { type: ['integer', 'null'] }, all: { type: 'boolean' }, amount: { type: 'number' } },
    ['amount', 'all'],
  );

  expect(argumentChanges(tool(before, after))).toEqual([
    'amount was added, and is needed',
    'id changed from string to integer or null',
    'id is no longer needed',
    'note was removed',
    'all is needed now',
  ]);
});

test('what is equal, was not kept, or is no schema says nothing', () => {
  const same = parameters({ id: {} });
  expect(argumentChanges(tool(same, same))).toEqual([]);
  expect(argumentChanges(tool(null, same))).toEqual([]);
  expect(argumentChanges(tool({ properties: 5, required: 'x' }, { properties: [] }))).toEqual([]);
});

test('parts that arguments refer to are told by their names', () => {
  const order = (name: string) => ({
    ...parameters({ body: { $ref: '#/$defs/Order' } }),
    $defs: { Order: parameters({ [name]: {} }) },
  });
  expect(argumentChanges(tool(order('note'), order('remark')))).toEqual([
    'Order.remark was added',
    'Order.note was removed',
  ]);
});

import { expect, it } from 'vitest';
import type { NodeTypeInfo } from '../../api/types/types.ts';
import { START } from '../document/document.ts';
import { graph, nodeType } from '../document/testing.ts';
import { MAIN } from '../schema/ports.ts';
import { fitting, type Gap } from './fitting.ts';

const way = (kind: 'completed' | 'failed' | 'rejected' | 'dynamic') => ({
  id: kind,
  label: kind,
  kind,
  when: null,
});
const ways = [way('completed'), way('failed')];
const type = (name: string, more: Partial<NodeTypeInfo> = {}): NodeTypeInfo => ({
  ...nodeType(name, {}, ways),
  effect_class: 'read',
  writes_data: false,
  result_keys: [],
  ...more,
});
const reads = (...read_keys: string[]) => ({ defaults: { read_keys, write_keys: [], config: {} } });
const each = { type: 'object', properties: { worker: { 'x-gives': ['item'] } } };
const all = [
  type('agent', { writes_data: true, prompts: true, ...reads('input', 'previous') }),
  type('router', { effect_class: 'pure', handles: [way('dynamic'), ...ways] }),
  type('approval', { asks_people: true, handles: [way('rejected'), ...ways], ...reads() }),
  type('output', { effect_class: 'pure', ...reads('previous') }),
  type('call', { effect_class: 'unsafe' }),
  type('gather', { prompts: true, ...reads('previous') }),
  type('check', reads('previous')),
  type('map', { config_schema: each, ...reads('previous') }),
];
const drawn = graph('map>call', 'agent>router');
const records = {
  ...drawn,
  nodes: new Map([...drawn.nodes].map(([id, node]) => [id, { ...node, type: id }])),
};
const names = (gap: Gap, ...unguarded: string[]) =>
  fitting(all, gap, {
    records,
    types: new Map(all.map((each) => [each.type, each])),
    unguarded: new Set(unguarded),
  }).map((each) => each.type);
const after = (node: string, port = MAIN) => ({ from: { node, port }, to: null });
const before = (to: string) => ({ from: null, to });

it('what works on an answer has nothing to do where none was given', () => {
  expect(names(after(START))).toEqual(['agent', 'router', 'approval', 'output', 'call']);
  expect(names(after('agent', 'failed'))).toEqual([
    ...['approval', 'agent', 'router', 'output', 'call'],
  ]);
});

it('after a step done with each item comes first what makes one answer of many', () => {
  expect(names(after('map'))[0]).toBe('gather');
  expect(names(after('map', 'failed'))[0]).toBe('approval');
  expect(names(after('agent'))).toEqual(all.map((each) => each.type));
});

it('before a dangerous step that nobody allows comes first who may say no', () => {
  expect(names(before('call'), 'call')[0]).toBe('approval');
  expect(names(before('call'))[0]).toBe('agent');
  expect(names({ from: { node: 'map', port: MAIN }, to: 'call' }, 'call')[0]).toBe('approval');
});

it('before what asks for fields comes what gives some, and nothing that ends a run', () => {
  expect(names(before('router'))).not.toContain('output');
  const late = all.toReversed();
  const around = { records, types: new Map(late.map((each) => [each.type, each])) };
  const [first] = fitting(late, before('router'), { ...around, unguarded: new Set() });
  expect(first?.type).toBe('agent');
});

it('before the end everything fits', () => {
  expect(names({ from: { node: 'agent', port: MAIN }, to: '__end__' })).toContain('output');
});

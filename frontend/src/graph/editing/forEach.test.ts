import { expect, test } from 'vitest';
import { START, toRecords } from '../document/document.ts';
import { nodeType } from '../document/testing.ts';
import { addNode, connect } from './operations.ts';
import { eachType, type List, listsOf, withEach } from './forEach.ts';

const agent = {
  ...nodeType('asker', { who: { type: 'string', 'x-widget': 'agent' } }),
  prompts: true,
};
agent.config_schema.required = ['who'];
const step = nodeType('step');
const each = nodeType('each', {
  does: { type: 'string', 'x-widget': 'node', 'x-gives': ['item', 'index'] },
  where: { type: 'string', 'x-widget': 'jsonpath', 'x-over-view': true },
});
const types = new Map([step, each, agent].map((type) => [type.type, type]));
const list = { type: 'array', items: { type: 'string' } };
const records = toRecords({
  graphwright: 1,
  id: 'g',
  interface: { inputs: { type: 'object', properties: { rows: list, name: { type: 'string' } } } },
  state_schema: {
    type: 'object',
    properties: { clauses: list, 'x-1': { type: ['array', 'null'] } },
  },
  nodes: [
    {
      id: 'a',
      type: 'step',
      label: 'Cut',
      write_keys: ['clauses', 'x-1'],
      position: { x: 0, y: 0 },
    },
    { id: 'b', type: 'step', position: { x: 300, y: 170 } },
  ],
  edges: [],
});
const paths = (source: string, last: Parameters<typeof listsOf>[3] = []) =>
  listsOf(records, types, source, last).map(({ path, grant }) => [path, grant]);

test('a list that the start or a node gives is offered, no other field', () => {
  expect(paths(START)).toEqual([['$.input.rows', 'input.rows']]);
  expect(paths('a')).toEqual([
    ['$.memory.clauses', 'clauses'],
    ["$.memory['x-1']", 'x-1'],
  ]);
  expect(paths('b')).toEqual([]);
  expect(paths('nowhere')).toEqual([]);
});

test('what was a list in the last run is one, declared or not', () => {
  const value = (lane: string, key: string, kind: 'list' | 'text') => ({
    path: [lane, key],
    kind,
    text: '',
    size: null,
  });

  expect(paths('b', [value('outputs', 'b', 'list'), value('memory', 'b_result', 'list')])).toEqual([
    ['$.memory.b_result', 'b_result'],
    ['$.previous', 'previous'],
  ]);
  expect(paths('b', [value('outputs', 'b', 'text'), value('outputs', 'a', 'list')])).toEqual([]);
});

test('a step for each item reads the list, and a fresh agent beside all others does it', () => {
  const [clauses] = listsOf(records, types, 'a') as [List];
  const added = addNode(records, each, { x: 300, y: 0 }, undefined, 'Each');
  const tied = connect(added.records, 'a', 'completed', added.id);

  const grown = withEach(tied, added.id, { types, list: clauses, reserved: new Set(['taken']) });

  expect(grown.nodes.get('each')).toMatchObject({
    read_keys: ['clauses'],
    config: { where: '$.memory.clauses', does: 'one_of_clauses' },
  });
  const worker = grown.nodes.get('one_of_clauses');
  expect(worker).toMatchObject({
    type: 'asker',
    label: 'One of clauses',
    read_keys: ['item'],
    config: { who: 'one_of_clauses', prompt: '{{ memory.item }}' },
  });
  expect(worker?.position?.y).toBeGreaterThan(170 + 62);
  expect(grown.settings.agents?.map(({ id }) => id)).toEqual(['one_of_clauses']);
  expect(grown.edges.size).toBe(tied.edges.size);
});

test('without a type for each item, or an agent, nothing is drawn', () => {
  const [clauses] = listsOf(records, types, 'a') as [List];

  expect(eachType([step, agent])).toBeNull();
  const only = new Map([[each.type, each]]);
  expect(withEach(records, 'b', { types: only, list: clauses })).toBe(records);
});

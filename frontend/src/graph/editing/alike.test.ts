import { expect, test } from 'vitest';
import type { EdgeDoc } from '../../api/types/types.ts';
import { outgoing, toRecords } from '../document/document.ts';
import { alike, besides, idleWires, takeAll } from './alike.ts';

const SENIOR = "memory.level == 'senior'";

/** A node `a` with these wires to b, c, … */
function fork(...wires: Partial<EdgeDoc>[]) {
  const ends = ['b', 'c', 'd', 'e'].slice(0, wires.length);
  return toRecords({
    graphwright: 1,
    id: 'g',
    nodes: ['a', ...ends].map((id) => ({ id, type: 'step', position: { x: 0, y: 0 } })),
    edges: wires.map((wire, index) => ({
      id: `${index}`,
      source: 'a',
      target: ends[index] ?? '',
      ...wire,
    })),
  });
}
const idle = (records: ReturnType<typeof fork>) =>
  idleWires(records, outgoing(records, 'a')).map(({ id }) => id);
const at = (records: ReturnType<typeof fork>, id: string) => {
  const found = records.edges.get(id);
  if (!found) throw new Error(`no edge ${id}`);
  return found;
};

test.each([
  [[{ condition: SENIOR }, { condition: SENIOR }, {}], ['1']],
  [[{ condition: SENIOR }, {}, {}], ['2']],
  [[{ when: 'x' }, { when: 'x', priority: -1 }, {}], ['0']],
  [[{}, {}], []],
  [[{ condition: SENIOR }, { when: 'x' }, {}], []],
  [[{ condition: SENIOR }, { condition: SENIOR, on: 'failed' as const }], []],
  [[{ trigger: 'agent' as const }, { trigger: 'agent' as const }], []],
])('of wires alike the first is taken alone: %j', (wires, never) => {
  const records = fork(...wires);
  expect(idle(records)).toEqual(never);
  const [first] = never;
  if (first) expect(alike(records, at(records, first))).toHaveLength(2);
  expect(idle(takeAll(records, 'a'))).toEqual([]);
});

test('plain wires beside an expression that names a target are all meant', () => {
  const records = fork({ when: 'x' }, {}, {});
  const node = {
    id: 'a',
    type: 'router',
    config: { expression: 'goal' },
    position: { x: 0, y: 0 },
  };
  expect(idle({ ...records, nodes: new Map([...records.nodes, ['a', node]]) })).toEqual([]);
});

test('to take all that fit is one field of the node, and to take the first again is none', () => {
  const records = fork({ condition: SENIOR }, {});
  const all = takeAll(records, 'a');

  expect(all.nodes.get('a')?.branching).toBe('all');
  expect(takeAll(all, 'a', false).nodes.get('a')).toEqual(records.nodes.get('a'));
  expect(takeAll(all, 'a')).toBe(all);
});

test('what may start beside a wire leaves out what it excludes', () => {
  const records = fork(
    { condition: SENIOR },
    { condition: "memory.level == 'junior'" },
    { condition: 'memory.years > 5' },
    {},
  );
  expect(besides(records, at(records, '0')).map(({ target }) => target)).toEqual(['d']);
});

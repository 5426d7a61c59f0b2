import { expect, test } from 'vitest';
import type { GraphDoc } from '../api/types/types.ts';
import { project } from './flow.ts';
import { toRecords } from '../graph/document/document.ts';
import { placesOf } from '../graph/layout/places.ts';

const node = (id: string, more = {}) => ({
  id,
  type: 'agent',
  label: id,
  read_keys: [],
  write_keys: [],
  config: {},
  ...more,
});
const records = (nodes: object[]) =>
  toRecords({
    graphwright: 1,
    id: 'g',
    name: 'g',
    nodes,
    edges: [
      ['__start__', 'one'],
      ['one', 'two'],
      ['one', 'three'],
      ['three', 'one'],
    ].map(([source, target]) => ({ source, target })),
  } as unknown as GraphDoc);

test('nodes without a position are drawn in columns along the edges, none on another', () => {
  const { nodes } = project(
    records([node('one'), node('two'), node('three'), node('alone')]),
    { nodes: [], edges: [] },
    { types: new Map(), showAllPills: false },
  );
  const at = new Map(nodes.map(({ id, position }) => [id, position]));

  expect(new Set([...at.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
  expect(at.get('one')?.x).toBeLessThan(at.get('two')?.x ?? 0);
  expect(at.get('two')?.x).toBe(at.get('three')?.x);
  expect(at.get('__start__')?.x).toBeLessThan(at.get('one')?.x ?? 0);
});

test('a node keeps the position that it has, and the others their column when one is moved', () => {
  const before = placesOf(records([node('one'), node('two')]));
  const moved = placesOf(records([node('one', { position: { x: 7, y: 8 } }), node('two')]));

  expect(moved).toEqual(new Map([['two', before.get('two')]]));
});

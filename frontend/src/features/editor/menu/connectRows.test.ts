import { expect, it } from 'vitest';
import type { NodeTypeInfo } from '../../../api/types/types.ts';
import { graph, nodeType } from '../../../graph/document/testing.ts';
import { project } from '../../../store/flow.ts';
import { connectRows, rerouteRows, searchRows } from './connectRows.ts';

const handles = [
  { id: 'completed', label: 'Completed', kind: 'completed' as const, when: null },
  { id: 'failed', label: 'Failed', kind: 'failed' as const, when: null },
];
const drawn = (records: ReturnType<typeof graph>, ports: NodeTypeInfo['handles'] = []) =>
  project(
    records,
    { nodes: [], edges: [] },
    { types: new Map([['step', nodeType('step', {}, ports)]]), showAllPills: true },
  ).nodes;

it('offers what is to the right first, near before far, then the end, and no wire twice', () => {
  const records = graph('__start__>a', 'a>b', 'x>c', 'x>d');

  const labels = connectRows(records, drawn(records), 'b').map((row) => row.label);
  expect(labels).toEqual(['x', 'c', 'd', 'a', 'End', 'b']);
  expect(connectRows(records, drawn(records), 'a').map((row) => row.label)).not.toContain('b');
});

it('names the port where a node has several, the free one first', () => {
  const records = graph('a>b');

  const rows = connectRows(records, drawn(records, handles), 'b');
  expect(rows[0]).toMatchObject({ label: 'Completed → a', port: 'completed' });
  expect(searchRows(rows, 'end fail').map((row) => row.label)).toEqual(['Failed → End']);
});

it('leads from the start to any node, and never to the end', () => {
  const records = graph('__start__>a', 'a>b');

  const labels = connectRows(records, drawn(records), '__start__').map((row) => row.label);
  expect(labels).toEqual(['b']);
});

it('offers where a wire could end instead', () => {
  const records = graph('a>b', 'a>c', 'b>d');

  expect(rerouteRows(records, drawn(records), 'a>b').map((row) => row.label)).toEqual([
    'd',
    'End',
    'a',
  ]);
});

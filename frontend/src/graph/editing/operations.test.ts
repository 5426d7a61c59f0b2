import { expect, test } from 'vitest';
import { withRecords } from '../document/diff.ts';
import type { NodeDoc } from '../../api/types/types.ts';
import { incoming, outgoing, type Records } from '../document/document.ts';
import { addNode, connect, removeAndHeal, renameNode, splice } from './operations.ts';
import { copy } from './clip/copy.ts';
import { paste, readClip } from './clip/paste.ts';
import { NEW_BRANCH, UNSAID } from '../schema/ports.ts';
import { graph, nodeType } from '../document/testing.ts';

const mapper = nodeType('map', {
  worker_node_id: { type: 'string', 'x-widget': 'node' },
  peers: { type: 'array', items: { type: 'string' }, 'x-widget': 'nodes' },
});
const types = new Map([['map', mapper]]);

test('a node that is given a title is called so, and its id reads like it', () => {
  const at = { x: 0, y: 0 };
  const { records, id } = addNode(graph('a>b'), nodeType('agent'), at, new Set(), 'Tech check');
  expect(id).toBe('tech_check');
  expect(records.nodes.get(id)?.label).toBe('Tech check');
});

test('a new node takes the defaults of its type and a free id', () => {
  const { records, id } = addNode(
    addNode(graph('a>b'), nodeType('agent'), { x: 0, y: 0 }).records,
    nodeType('agent'),
    { x: 13, y: 5 },
  );

  expect(id).toBe('agent_2');
  expect(records.nodes.get(id)).toMatchObject({
    type: 'agent',
    read_keys: ['input'],
    position: { x: 16, y: 8 },
  });
});

test('splicing keeps the edge and its condition, and goes on plainly', () => {
  const base = withRecords(graph('a>b', 'x>y'), [
    { kind: 'edge', id: 'a>b', value: { id: 'a>b', source: 'a', target: 'b', when: 'yes' } },
  ]);

  const records = splice(base, 'a>b', 'x');

  expect(records.edges.get('a>b')).toEqual({ id: 'a>b', source: 'a', target: 'x', when: 'yes' });
  expect(incoming(records, 'b').map((edge) => edge.source)).toEqual(['x']);
});

test('healing joins what led there with what followed', () => {
  const records = removeAndHeal(graph('__start__>a', 'a>b', 'b>c', 'b>d'), new Set(['b']));

  expect(outgoing(records, 'a').map((edge) => edge.target)).toEqual(['c', 'd']);
  expect(records.nodes.has('b')).toBe(false);
});

test('healing the only node leaves no wire from start to end', () => {
  expect(removeAndHeal(graph('__start__>a', 'a>__end__'), new Set(['a'])).edges.size).toBe(0);
});

test('a clip is text; pasted nodes get free ids and keep their wires and references among them', () => {
  const base = withRecords(graph('a>b', 'z>a'), [
    {
      kind: 'node',
      id: 'a',
      value: {
        id: 'a',
        type: 'map',
        config: { worker_node_id: 'b', peers: ['b', 'z'] },
        position: { x: 0, y: 0 },
      },
    },
  ]);
  const clip = readClip(JSON.stringify(copy(base, new Set(['a', 'b']))));
  if (!clip) throw new Error('The clip is gone.');

  const { records, ids } = paste(base, clip, { x: 0, y: 400 }, types);

  expect(ids).toEqual(['a_2', 'b_2']);
  expect(records.nodes.get('a_2')?.config).toEqual({ worker_node_id: 'b_2', peers: ['b_2', 'z'] });
  expect(incoming(records, 'b_2').map((edge) => edge.source)).toEqual(['a_2']);
  expect(incoming(records, 'a_2')).toEqual([]);
  expect(
    incoming(paste(base, clip, { x: 0, y: 0 }, types, true).records, 'a_2').map(
      (edge) => edge.source,
    ),
  ).toEqual(['z']);
});

test('other text is no clip', () => {
  expect(readClip('hello')).toBeNull();
  expect(readClip('{"nodes": []}')).toBeNull();
});

test('another id takes edges and references along; a taken or wrong id changes nothing', () => {
  const base = withRecords(graph('a>b'), [
    { kind: 'node', id: 'm', value: { id: 'm', type: 'map', config: { worker_node_id: 'b' } } },
  ]);

  const records = renameNode(base, 'b', 'worker', types);

  expect(records.nodes.get('m')?.config).toEqual({ worker_node_id: 'worker' });
  expect(outgoing(records, 'a').map((edge) => edge.target)).toEqual(['worker']);
  expect(renameNode(base, 'b', 'a', types)).toBe(base);
  expect(renameNode(base, 'b', '1x', types)).toBe(base);
});

test('a branch of a router asks for a condition, which is to be said yet', () => {
  const router = (config: NodeDoc['config']) =>
    withRecords(graph('a>b'), [
      { kind: 'node', id: 'a', value: { id: 'a', type: 'router', config } },
    ]);
  const drawn = (records: Records) => outgoing(connect(records, 'a', NEW_BRANCH, 'b'), 'a').at(-1);

  expect(drawn(router({}))).toMatchObject({ condition: UNSAID });
  expect(drawn(router({}))).not.toHaveProperty('when');
  expect(drawn(router({ expression: 'memory.kind' }))).toMatchObject({ when: 'branch-1' });
  const twice = connect(connect(router({}), 'a', NEW_BRANCH, 'b'), 'a', NEW_BRANCH, 'b');
  expect(outgoing(twice, 'a')).toHaveLength(2);
});

test('a wire from the port of new branches gets a token where the node says words', () => {
  const once = connect(graph('a>b'), 'a', NEW_BRANCH, 'b');
  const twice = connect(once, 'a', NEW_BRANCH, 'b');

  expect([...twice.edges.values()].map((edge) => edge.when)).toEqual([
    undefined,
    'branch-1',
    'branch-2',
  ]);
});

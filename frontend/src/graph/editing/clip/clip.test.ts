import { expect, test } from 'vitest';
import { withRecords } from '../../document/diff.ts';
import { copy } from './copy.ts';
import { paste, readClip } from './paste.ts';
import { graph, nodeType } from '../../document/testing.ts';

const corner = { x: 600, y: 400 };
const types = new Map([
  ['step', nodeType('step', { next: { type: 'string', 'x-widget': 'node' } as never })],
]);
const edgesOf = (records: ReturnType<typeof graph>) =>
  [...records.edges.values()].map((edge) => `${edge.source}>${edge.target}`);

test('a clip holds what was chosen, the wires among it and those that lead to it', () => {
  const clip = copy(graph('a>b', 'b>c', 'c>d'), new Set(['b', 'c']));

  expect(clip.nodes.map((node) => node.id)).toEqual(['b', 'c']);
  expect(clip.edges.map((edge) => edge.id)).toEqual(['a>b', 'b>c']);
});

test('a clip that went through text is the same, also without notes', () => {
  const clip = copy(graph('a>b'), new Set(['a', 'b']));

  expect(readClip(JSON.stringify(clip))).toEqual(clip);
  expect(readClip(JSON.stringify({ ...clip, notes: undefined }))?.notes).toEqual([]);
});

test.each([
  '',
  '{',
  '[]',
  'null',
  '42',
  '"clip"',
  '{"graphwright":"clip"}',
  '{"graphwright":"clip","nodes":{},"edges":[]}',
  '{"graphwright":"clap","nodes":[],"edges":[]}',
])('%j is no clip', (text) => {
  expect(readClip(text)).toBeNull();
});

test('pasted twice, the first stays as it is, and every copy has wires of its own', () => {
  const before = graph('a>b');
  const clip = copy(before, new Set(['a', 'b']));
  const once = paste(before, clip, corner, types);
  const twice = paste(once.records, clip, corner, types);

  expect(once.ids).toEqual(['a_2', 'b_2']);
  expect(twice.ids).toEqual(['a_3', 'b_3']);
  expect(edgesOf(twice.records)).toEqual(['a>b', 'a_2>b_2', 'a_3>b_3']);
  expect(new Set(twice.records.edges.keys()).size).toBe(3);
  expect(twice.records.nodes.get('a')).toBe(before.nodes.get('a'));
});

test('without being asked for, wires from outside the clip stay outside', () => {
  const before = graph('a>b', '__start__>b');
  const clip = copy(before, new Set(['b']));

  expect(edgesOf(paste(before, clip, corner, types).records)).toEqual(['a>b', '__start__>b']);
  expect(edgesOf(paste(before, clip, corner, types, true).records)).toEqual([
    'a>b',
    '__start__>b',
    'a>b_2',
    '__start__>b_2',
  ]);
});

test('a wire from a node that is not here is not drawn', () => {
  const clip = copy(graph('a>b'), new Set(['b']));

  expect(edgesOf(paste(graph('x>y'), clip, corner, types, true).records)).toEqual(['x>y']);
});

test('the upper left of the clip stands at the corner, and the rest where it stood to it', () => {
  const { records } = paste(graph('a>b'), copy(graph('a>b'), new Set(['a', 'b'])), corner, types);
  const [a, b] = [records.nodes.get('a_2')?.position, records.nodes.get('b_2')?.position];

  expect(a).toEqual(corner);
  expect(Math.abs((b?.x ?? 0) - (a?.x ?? 0) - 300)).toBeLessThan(8); // places are on the grid
  expect(b?.y).toBe(a?.y);
});

test('what a config names in the clip is the copy, and what it names outside is not', () => {
  const named = (next: string) =>
    withRecords(graph('a>b', 'b>c'), [
      { kind: 'node', id: 'a', value: { id: 'a', type: 'step', config: { next } } },
    ]);
  const pasted = (next: string) =>
    paste(named(next), copy(named(next), new Set(['a', 'b'])), corner, types).records.nodes.get(
      'a_2',
    )?.config?.next;

  expect([pasted('b'), pasted('c')]).toEqual(['b_2', 'c']);
});

test("two nodes of a clip never get one id, also where the first takes the second one's", () => {
  const clip = copy(graph('a>a_2'), new Set(['a', 'a_2']));
  const { records, ids } = paste(graph('a>b'), clip, corner, types);

  expect(new Set(ids).size).toBe(2);
  expect(edgesOf(records).at(-1)).toBe(`${ids[0]}>${ids[1]}`);
});

test('what a text calls start fields and are none is left out', () => {
  const clip = { graphwright: 'clip', nodes: [], edges: [] };
  const start = {
    good: { schema: { type: 'string' } },
    none: null,
    bad: { schema: 'text' },
    no: 7,
  };
  expect(readClip(JSON.stringify({ ...clip, start }))?.start).toEqual({
    good: { schema: { type: 'string' }, required: false },
  });
  expect(readClip(JSON.stringify({ ...clip, start: [1] }))?.start).toEqual({});
});

test('pasted where there is no node yet, the one that nothing leads to is wired from Start', () => {
  const into = (clip: ReturnType<typeof copy>) =>
    edgesOf(paste(graph(), clip, corner, types).records);

  expect(into(copy(graph('a>b', 'b>c', 'c>b'), new Set(['a', 'b', 'c'])))).toEqual([
    'a>b',
    'b>c',
    'c>b',
    '__start__>a',
  ]);
  expect(into(copy(graph('a>b', 'c>d'), new Set(['a', 'b', 'c', 'd'])))).toEqual(['a>b', 'c>d']);
  const clip = copy(graph('a>b', 'c>d'), new Set(['a', 'b', 'c']));
  const nodes = clip.nodes.map((node) =>
    node.id === 'c' ? { ...node, config: { next: 'a' } } : node,
  );
  expect(into({ ...clip, nodes })).toEqual(['a>b', '__start__>c']);
});

test('pasted beside other nodes, nothing is wired from Start', () => {
  const clip = copy(graph('a>b'), new Set(['a', 'b']));

  expect(edgesOf(paste(graph('x>y'), clip, corner, types).records)).toEqual(['x>y', 'a>b']);
});

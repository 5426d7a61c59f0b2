import { expect, test } from 'vitest';
import { apply, diff, reverse, withRecords } from './diff.ts';
import { connect, remove, renameNode } from '../editing/operations.ts';
import { toPatch } from './patch.ts';
import { graph } from './testing.ts';

const setNode = (records: ReturnType<typeof graph>, id: string, change: object) =>
  withRecords(records, [{ kind: 'node', id, value: { ...records.nodes.get(id), ...change } }]);

test('equal documents have no diff, even as different objects', () => {
  expect(diff(graph('a>b'), graph('a>b'))).toEqual([]);
});

test('a diff leads from one document to the other, and its reverse back', () => {
  const before = graph('a>b', 'b>c');
  const after = connect(
    setNode(remove(before, new Set(['b'])), 'a', { label: 'First' }),
    'a',
    'completed',
    'c',
  );

  const changes = diff(before, after);

  expect(diff(apply(before, changes), after)).toEqual([]);
  expect(diff(apply(after, reverse(changes)), before)).toEqual([]);
});

test('undoing a field keeps another field that somebody else changed since', () => {
  const before = graph('a>b');
  const mine = setNode(before, 'a', { label: 'Mine' });
  const theirs = setNode(mine, 'a', { disabled: true });

  const undone = apply(theirs, reverse(diff(before, mine)));

  expect(undone.nodes.get('a')).toMatchObject({ label: 'a', disabled: true });
});

test('undoing a field that somebody else changed since leaves it to them', () => {
  const before = graph('a>b');
  const mine = setNode(before, 'a', { label: 'Mine' });
  const theirs = setNode(mine, 'a', { label: 'Theirs' });

  expect(apply(theirs, reverse(diff(before, mine))).nodes.get('a')?.label).toBe('Theirs');
});

test('undoing the adding of a node that somebody else has edited since keeps the node', () => {
  const before = graph('a>b');
  const mine = withRecords(before, [
    { kind: 'node', id: 'new', value: { id: 'new', type: 'step' } },
  ]);
  const theirs = setNode(mine, 'new', { label: 'Now mine' });

  expect(apply(theirs, reverse(diff(before, mine))).nodes.has('new')).toBe(true);
});

test('an edge does not come back to a node that is gone', () => {
  const before = graph('a>b');
  const mine = remove(before, new Set(['a>b']));
  const theirs = remove(mine, new Set(['b']));

  expect(apply(theirs, reverse(diff(before, mine))).edges.size).toBe(0);
});

test('a setting that was not there before is taken away again', () => {
  const before = graph('a>b');
  const after = withRecords(before, [{ kind: 'setting', id: 'goal', value: 'Win' }]);

  expect(apply(after, reverse(diff(before, after))).settings).toEqual({});
});

test.each([
  ['a field that was added', {}, { x: 1 }],
  ['a field that was removed', { x: 1 }, {}],
  ['a longer list', { x: [1] }, { x: [1, 2] }],
  ['a shorter list', { x: [1, 2] }, { x: [1] }],
  ['another order', { x: [1, 2] }, { x: [2, 1] }],
  ['a list for an object', { x: [] }, { x: {} }],
  ['nothing for false', { x: null }, { x: false }],
  ['a text for a number', { x: '1' }, { x: 1 }],
  ['something deep', { x: { y: [{ z: 1 }] } }, { x: { y: [{ z: 2 }] } }],
])('%s is a change', (_, before, after) => {
  const base = setNode(graph('a>b'), 'a', { config: before });
  const changed = setNode(base, 'a', { config: after });

  expect(diff(base, changed).map((change) => [change.kind, change.id])).toEqual([['node', 'a']]);
  expect(diff(changed, base)).toHaveLength(1);
  expect(apply(changed, reverse(diff(base, changed))).nodes.get('a')?.config).toEqual(before);
});

test('an absent field and one without a value say the same', () => {
  const base = graph('a>b');

  expect(diff(base, setNode(base, 'a', { label: 'a', human_description: undefined }))).toEqual([]);
});

test.each(['target', 'source', 'condition', 'when', 'priority', 'on', 'trigger', 'label'])(
  'an edge whose %s changed is one change, and goes back',
  (field) => {
    const base = graph('a>b', 'b>c');
    const edge = base.edges.get('a>b');
    const changed = withRecords(base, [
      { kind: 'edge', id: 'a>b', value: { ...edge, [field]: 'c' } },
    ]);
    const changes = diff(base, changed);

    expect(changes).toEqual([
      { kind: 'edge', id: 'a>b', before: edge, after: { ...edge, [field]: 'c' } },
    ]);
    expect(apply(changed, reverse(changes)).edges.get('a>b')).toEqual(edge);
  },
);

test('notes come, change and go like nodes', () => {
  const note = { id: 'n', kind: 'note', text: 'one', position: { x: 0, y: 0 } };
  const base = graph('a>b');
  const there = withRecords(base, [{ kind: 'note', id: 'n', value: note }]);
  const moved = withRecords(there, [{ kind: 'note', id: 'n', value: { ...note, text: 'two' } }]);

  expect(diff(there, moved)).toMatchObject([{ kind: 'note', id: 'n' }]);
  expect(apply(moved, reverse(diff(there, moved))).notes.get('n')).toEqual(note);
  expect(apply(moved, reverse(diff(base, moved))).notes.size).toBe(0);
});

test('what was changed twice is taken back last first', () => {
  const base = graph('a>b');
  const one = setNode(base, 'a', { label: 'One' });
  const two = setNode(one, 'a', { label: 'Two' });
  const both = [...diff(base, one), ...diff(one, two)];

  expect(reverse(both).map((change) => (change.after as { label: string }).label)).toEqual([
    'One',
    'a',
  ]);
});

test('what is undone comes back to its place, in nodes and wires, however much went', () => {
  const before = graph('a>b', 'b>c', 'c>d', 'a>d');
  const after = remove(before, new Set(['b', 'c']));
  const changes = diff(before, after);

  const undone = apply(after, reverse(changes));

  expect([...undone.nodes.keys()]).toEqual([...before.nodes.keys()]);
  expect([...undone.edges.keys()]).toEqual([...before.edges.keys()]);
  const again = diff(after, undone);
  expect([...apply(after, again).nodes.keys()]).toEqual([...before.nodes.keys()]);
  expect(toPatch(again, undone).nodes_before).toEqual({ b: 'd', c: 'd' });
});

test('a node keeps its place when it gets another id', () => {
  const before = graph('a>b', 'b>c');

  const after = renameNode(before, 'a', 'first', new Map());

  expect([...after.nodes.keys()]).toEqual(['first', 'b', 'c']);
  expect(toPatch(diff(before, after), after).nodes_before).toEqual({ first: 'b' });
});

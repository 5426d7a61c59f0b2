import { expect, test } from 'vitest';
import { apply, diff, reverse, withRecords } from './diff.ts';
import { connect, remove } from './operations.ts';
import { graph } from './testing.ts';

const setNode = (records: ReturnType<typeof graph>, id: string, change: object) =>
  withRecords(records, [{ kind: 'node', id, value: { ...records.nodes.get(id), ...change } }]);

test('equal documents have no diff, even as different objects', () => {
  expect(diff(graph('a>b'), graph('a>b'))).toEqual([]);
});

test('a diff leads from one document to the other, and its reverse back', () => {
  const before = graph('a>b', 'b>c');
  const after = connect(setNode(remove(before, new Set(['b'])), 'a', { label: 'First' }), 'a', 'completed', 'c');

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
  const mine = withRecords(before, [{ kind: 'node', id: 'new', value: { id: 'new', type: 'step' } }]);
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

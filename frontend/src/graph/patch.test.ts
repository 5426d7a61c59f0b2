import { expect, test } from 'vitest';
import { diff, withRecords } from './diff.ts';
import { merge3 } from './merge.ts';
import { remove } from './operations.ts';
import { conflictsAsRecords, disputes, mergeTheirs, othersAsRecords, toPatch } from './patch.ts';
import { graph } from './testing.ts';

const change = (records: ReturnType<typeof graph>, id: string, fields: object) =>
  withRecords(records, [{ kind: 'node', id, value: { ...records.nodes.get(id), ...fields } }]);

test('a patch carries only what changed', () => {
  const before = graph('a>b', 'b>c');
  const after = withRecords(change(remove(before, new Set(['c'])), 'a', { label: 'A' }), [{ kind: 'setting', id: 'goal', value: 'Win' }]);

  expect(toPatch(diff(before, after), after)).toEqual({
    set_nodes: [after.nodes.get('a')], delete_nodes: ['c'], delete_edges: ['b>c'], set_graph: { goal: 'Win' },
  });
});

test('notes travel as the whole list', () => {
  const before = graph('a>b');
  const note = { id: 'n', kind: 'note', text: '', position: { x: 0, y: 0 } };
  const after = withRecords(before, [{ kind: 'note', id: 'n', value: note }]);

  expect(toPatch(diff(before, after), after)).toEqual({ set_graph: { notes: [note] } });
});

test('different fields of one node merge without a question', () => {
  const base = graph('a>b');
  const mine = change(base, 'a', { label: 'Mine' });
  const theirs = conflictsAsRecords(base, [{ kind: 'node', id: 'a', theirs: { ...base.nodes.get('a'), disabled: true } as never }]);

  expect(disputes(base, mine, theirs)).toEqual([]);
  expect(mergeTheirs(base, mine, theirs).nodes.get('a')).toMatchObject({ label: 'Mine', disabled: true });
});

test('the same field is a dispute, and the choice decides', () => {
  const base = graph('a>b');
  const mine = change(base, 'a', { config: { prompt: 'mine', tools: [] } });
  const theirs = conflictsAsRecords(base, [{ kind: 'node', id: 'a', theirs: { ...base.nodes.get('a'), config: { prompt: 'theirs', history: 2 } } as never }]);

  expect(disputes(base, mine, theirs).map((dispute) => dispute.fields)).toEqual([['config.prompt']]);
  expect(mergeTheirs(base, mine, theirs, () => 'mine').nodes.get('a')?.config).toEqual({ prompt: 'mine', tools: [], history: 2 });
  expect(mergeTheirs(base, mine, theirs, () => 'theirs').nodes.get('a')?.config).toEqual({ prompt: 'theirs', tools: [], history: 2 });
});

test('a node that they removed and I changed is a dispute about all of it', () => {
  const base = graph('a>b');
  const mine = change(base, 'a', { label: 'Mine' });

  expect(disputes(base, mine, [{ kind: 'node', id: 'a', value: null }])[0]?.fields).toEqual(['']);
});

test('what others did arrives as records, notes one by one', () => {
  const base = withRecords(graph('a>b'), [{ kind: 'note', id: 'old', value: { id: 'old' } }]);
  const note = { id: 'new', kind: 'note' as const, text: '', position: { x: 0, y: 0 } };

  const theirs = othersAsRecords(base, { nodes: [{ id: 'x', type: 'step' }], edges: [], deleted_nodes: ['b'], deleted_edges: ['a>b'], graph: { goal: 'New', notes: [note] } });

  const merged = mergeTheirs(base, base, theirs);
  expect([...merged.nodes.keys()]).toEqual(['a', 'x']);
  expect([...merged.notes.keys()]).toEqual(['new']);
  expect(merged.settings.goal).toBe('New');
});

test('lists are taken whole: both sides changing one is a conflict', () => {
  expect(merge3([1], [1, 2], [1, 3], 'mine', 'keys')).toEqual({ value: [1, 2], conflicts: ['keys'] });
});

import { expect, test } from 'vitest';
import { diff, withRecords } from './diff.ts';
import { merge3 } from './merge.ts';
import { remove } from '../editing/operations.ts';
import { conflictsAsRecords, disputes, mergeTheirs, othersAsRecords, toPatch } from './patch.ts';
import { graph } from './testing.ts';

const change = (records: ReturnType<typeof graph>, id: string, fields: object) =>
  withRecords(records, [{ kind: 'node', id, value: { ...records.nodes.get(id), ...fields } }]);

test('a patch carries only what changed', () => {
  const before = graph('a>b', 'b>c');
  const after = withRecords(change(remove(before, new Set(['c'])), 'a', { label: 'A' }), [
    { kind: 'setting', id: 'goal', value: 'Win' },
  ]);

  expect(toPatch(diff(before, after), after)).toEqual({
    set_nodes: [after.nodes.get('a')],
    delete_nodes: ['c'],
    delete_edges: ['b>c'],
    set_graph: { goal: 'Win' },
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
  const theirs = conflictsAsRecords(base, [
    { kind: 'node', id: 'a', theirs: { ...base.nodes.get('a'), disabled: true } as never },
  ]);

  expect(disputes(base, mine, theirs)).toEqual([]);
  expect(mergeTheirs(base, mine, theirs).nodes.get('a')).toMatchObject({
    label: 'Mine',
    disabled: true,
  });
});

test('the same field is a dispute, and the choice decides', () => {
  const base = graph('a>b');
  const mine = change(base, 'a', { config: { prompt: 'mine', tools: [] } });
  const theirs = conflictsAsRecords(base, [
    {
      kind: 'node',
      id: 'a',
      theirs: { ...base.nodes.get('a'), config: { prompt: 'theirs', history: 2 } } as never,
    },
  ]);

  expect(disputes(base, mine, theirs).map((dispute) => dispute.fields)).toEqual([
    ['config.prompt'],
  ]);
  expect(mergeTheirs(base, mine, theirs, () => 'mine').nodes.get('a')?.config).toEqual({
    prompt: 'mine',
    tools: [],
    history: 2,
  });
  expect(mergeTheirs(base, mine, theirs, () => 'theirs').nodes.get('a')?.config).toEqual({
    prompt: 'theirs',
    tools: [],
    history: 2,
  });
});

test('a node that they removed and I changed is a dispute about all of it', () => {
  const base = graph('a>b');
  const mine = change(base, 'a', { label: 'Mine' });

  expect(disputes(base, mine, [{ kind: 'node', id: 'a', value: null }])[0]?.fields).toEqual(['']);
});

test('what others did arrives as records, notes one by one', () => {
  const base = withRecords(graph('a>b'), [{ kind: 'note', id: 'old', value: { id: 'old' } }]);
  const note = { id: 'new', kind: 'note' as const, text: '', position: { x: 0, y: 0 } };

  const theirs = othersAsRecords(base, {
    nodes: [{ id: 'x', type: 'step' }],
    edges: [],
    deleted_nodes: ['b'],
    deleted_edges: ['a>b'],
    graph: { goal: 'New', notes: [note] },
  });

  const merged = mergeTheirs(base, base, theirs);
  expect([...merged.nodes.keys()]).toEqual(['a', 'x']);
  expect([...merged.notes.keys()]).toEqual(['new']);
  expect(merged.settings.goal).toBe('New');
});

test('lists are taken whole: both sides changing one is a conflict', () => {
  expect(merge3([1], [1, 2], [1, 3], 'mine', 'keys')).toEqual({
    value: [1, 2],
    conflicts: ['keys'],
  });
});

test.each([
  ['goal', ''],
  ['constraints', []],
  ['initial_memory', {}],
  ['defaults', {}],
  ['limits', {}],
  ['agents', []],
  ['state_schema', null],
  ['interface', null],
])('a cleared %s is stored as the value that says nothing', (name, nothing) => {
  const before = withRecords(graph('a>b'), [
    { kind: 'setting', id: name, value: { some: 'thing' } },
  ]);
  const after = withRecords(before, [{ kind: 'setting', id: name, value: null }]);

  expect(toPatch(diff(before, after), after)).toEqual({ set_graph: { [name]: nothing } });
});

test('a deleted edge and a changed one travel apart', () => {
  const before = graph('a>b', 'b>c', 'a>c');
  const changed = { ...before.edges.get('b>c'), condition: 'x' };
  const after = withRecords(before, [
    { kind: 'edge', id: 'a>b', value: null },
    { kind: 'edge', id: 'b>c', value: changed },
  ]);

  expect(toPatch(diff(before, after), after)).toEqual({
    set_edges: [changed],
    delete_edges: ['a>b'],
  });
});

const nobody = { nodes: [], edges: [], deleted_nodes: [], deleted_edges: [], graph: null };
const noted = (id: string, text = '') => ({
  id,
  kind: 'note' as const,
  text,
  position: { x: 0, y: 0 },
});

test('what others deleted is gone here too, be it node, edge or note', () => {
  const base = withRecords(graph('a>b', 'b>c'), [
    { kind: 'note', id: 'n', value: noted('n') },
    { kind: 'note', id: 'm', value: noted('m') },
  ]);
  const theirs = othersAsRecords(base, {
    ...nobody,
    deleted_nodes: ['c'],
    deleted_edges: ['b>c'],
    graph: { notes: [noted('m')] },
  } as never);
  const merged = mergeTheirs(base, base, theirs);

  expect([[...merged.nodes.keys()], [...merged.edges.keys()], [...merged.notes.keys()]]).toEqual([
    ['a', 'b'],
    ['a>b'],
    ['m'],
  ]);
});

test('what others deleted and this person has changed is a dispute', () => {
  const base = graph('a>b');
  const mine = change(base, 'b', { label: 'Mine' });
  const theirs = othersAsRecords(base, { ...nobody, deleted_nodes: ['b'] } as never);

  expect(disputes(base, mine, theirs)).toMatchObject([{ kind: 'node', id: 'b', theirs: null }]);
  expect(mergeTheirs(base, mine, theirs, () => 'theirs').nodes.has('b')).toBe(false);
  expect(mergeTheirs(base, mine, theirs, () => 'mine').nodes.get('b')?.label).toBe('Mine');
});

test('an edge that both sides led elsewhere is a dispute about its end alone', () => {
  const base = graph('a>b', 'b>c');
  const lead = (target: string, more = {}) => ({ ...base.edges.get('a>b'), target, ...more });
  const mine = withRecords(base, [
    { kind: 'edge', id: 'a>b', value: lead('c', { condition: 'mine' }) },
  ]);
  const theirs = conflictsAsRecords(base, [
    { kind: 'edge', id: 'a>b', theirs: lead('a') as never },
  ]);

  expect(disputes(base, mine, theirs).map((dispute) => dispute.fields)).toEqual([['target']]);
  expect(mergeTheirs(base, mine, theirs, () => 'theirs').edges.get('a>b')).toMatchObject({
    target: 'a',
    condition: 'mine',
  });
});

test('what both sides changed to the same is no dispute', () => {
  const base = graph('a>b');
  const mine = change(base, 'a', { label: 'Same' });

  expect(
    disputes(
      base,
      mine,
      conflictsAsRecords(base, [
        { kind: 'node', id: 'a', theirs: { ...base.nodes.get('a'), label: 'Same' } as never },
      ]),
    ),
  ).toEqual([]);
});

test('a node that is kept although somebody deleted it keeps its wires and its agent', () => {
  const base = withRecords(change(graph('a>b', 'b>c'), 'b', { config: { agent_id: 'b' } }), [
    { kind: 'setting', id: 'agents', value: [{ id: 'b', model: 'local/default' }] },
  ]);
  const mine = change(base, 'b', { label: 'Mine' });
  const gone = withRecords(remove(base, new Set(['b'])), [
    { kind: 'edge', id: 'healed', value: { id: 'healed', source: 'a', target: 'c' } },
    { kind: 'setting', id: 'agents', value: [] },
  ]);
  const theirs = diff(base, gone).map(({ kind, id, after }) => ({ kind, id, value: after }));

  const kept = mergeTheirs(base, mine, theirs, () => 'mine');
  const taken = mergeTheirs(base, mine, theirs, () => 'theirs');

  expect(kept.nodes.get('b')).toMatchObject({ label: 'Mine' });
  expect([...kept.edges.keys()].toSorted()).toEqual(['a>b', 'b>c']);
  expect(kept.settings.agents).toEqual([{ id: 'b', model: 'local/default' }]);
  expect([...taken.edges.keys()]).toEqual(['healed']);
});

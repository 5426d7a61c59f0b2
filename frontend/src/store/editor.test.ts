import { beforeEach, expect, test } from 'vitest';
import type { GraphDetail, GraphDoc } from '../api/types/types.ts';
import { withRecords } from '../graph/document/diff.ts';
import { remove } from '../graph/editing/operations.ts';
import { nodeType } from '../graph/document/testing.ts';
import { adopt, useEditor } from './editor.ts';

const document: GraphDoc = {
  graphwright: 1,
  id: 'g',
  nodes: [
    { id: 'a', type: 'step', label: 'A', position: { x: 0, y: 0 } },
    { id: 'b', type: 'step', label: 'B', position: { x: 300, y: 0 } },
  ],
  edges: [{ id: 'e', source: 'a', target: 'b' }],
};

/** A graph as the server gives it. */
const detail = {
  id: 'g1',
  name: 'G',
  revision: 1,
  document,
  problems: [],
  can: { edit: true, publish: true, run: true },
} as unknown as GraphDetail;

const editor = () => useEditor.getState();
const label = (id: string, text: string) => (records: ReturnType<typeof editor>['records']) =>
  withRecords(records, [{ kind: 'node', id, value: { ...records.nodes.get(id), label: text } }]);
const labelOf = (id: string) => editor().records.nodes.get(id)?.label;

beforeEach(() => editor().load(detail, new Map([['step', nodeType('step')]])));

test('loading is no undo step', () => {
  expect(editor().undoStack).toEqual([]);
  expect(editor().nodes.map((node) => node.id)).toEqual(['__start__', '__end__', 'a', 'b']);
});

test('typing is one undo step, taken when the field is left', () => {
  for (const text of ['N', 'Ne', 'New']) editor().edit(label('a', text));
  editor().commit('Edit');

  expect(editor().undoStack).toHaveLength(1);
  editor().undo();
  expect(labelOf('a')).toBe('A');
  editor().redo();
  expect(labelOf('a')).toBe('New');
});

test('undo takes back typing that was not finished', () => {
  editor().edit(label('a', 'Half'));
  editor().undo();

  expect(labelOf('a')).toBe('A');
});

test('a gesture that changes nothing is no step, and does not clear redo', () => {
  editor().gesture('Rename', label('a', 'New'));
  editor().undo();
  editor().gesture('Nothing', (records) => ({ ...records }));

  expect(editor().undoStack).toEqual([]);
  expect(editor().redoStack).toHaveLength(1);
});

test('a gesture is one change of the store, with what was typed before as a step of its own', () => {
  editor().edit(label('a', 'Typed'));
  const heard: number[] = [];
  const stop = useEditor.subscribe((state) => heard.push(state.undoStack.length));

  editor().gesture('Rename', label('b', 'New'));
  editor().gesture('Nothing', (records) => records);
  stop();

  expect(heard).toEqual([2]);
});

test('a drag is one step when it ends, and selecting is none', () => {
  editor().onNodesChange([
    { id: 'a', type: 'position', position: { x: 40, y: 40 }, dragging: true },
    { id: 'a', type: 'select', selected: true },
  ]);
  expect(editor().records.nodes.get('a')?.position).toEqual({ x: 0, y: 0 });

  editor().settle('Move');

  expect(editor().records.nodes.get('a')?.position).toEqual({ x: 40, y: 40 });
  expect(editor().undoStack.map((gesture) => gesture.label)).toEqual(['Move']);
  editor().undo();
  expect(editor().nodes.find((node) => node.id === 'a')?.position).toEqual({ x: 0, y: 0 });
});

test('deleting and undoing brings back node and wire', () => {
  editor().gesture('Delete', (records) => remove(records, new Set(['b'])));
  expect(editor().edges).toEqual([]);

  editor().undo();

  expect(editor().edges.map((edge) => edge.id)).toEqual(['e']);
});

test('undo is yours alone: the work of others that came in between stays', () => {
  editor().gesture('Rename', label('a', 'Mine'));
  adopt(label('b', 'Theirs'), editor().base, 2);

  editor().undo();

  expect([labelOf('a'), labelOf('b')]).toEqual(['A', 'Theirs']);
  expect(editor().undoStack).toEqual([]);
});

test('what did not change is the same object on the canvas, and the selection stays', () => {
  editor().select(['b']);
  const before = editor().nodes.find((node) => node.id === 'b');

  editor().gesture('Rename', label('a', 'New'));

  expect(editor().nodes.find((node) => node.id === 'b')).toBe(before);
  expect(before?.selected).toBe(true);
});

test('a reader changes nothing', () => {
  editor().load({ ...detail, can: { edit: false, publish: false, run: false } }, new Map());
  editor().gesture('Rename', label('a', 'New'));

  expect(labelOf('a')).toBe('A');
});

test('a selected wire stays selected when its condition changes, and only that wire is drawn anew', () => {
  editor().select(['e']);
  editor().gesture('Edge', (records) =>
    withRecords(records, [
      { kind: 'edge', id: 'e', value: { ...records.edges.get('e'), condition: 'x > 1' } },
    ]),
  );
  const drawn = editor().edges.find((edge) => edge.id === 'e');

  expect([drawn?.selected, drawn?.data]).toMatchObject([true, { doc: { condition: 'x > 1' } }]);
});

test('changing and then undoing the end of an edge draws it where it was', () => {
  editor().gesture('Edge', (records) =>
    withRecords(records, [{ kind: 'edge', id: 'e', value: { id: 'e', source: 'a', target: 'a' } }]),
  );
  expect(editor().edges.map((edge) => edge.target)).toEqual(['a']);

  editor().undo();
  expect(editor().edges.map((edge) => edge.target)).toEqual(['b']);
  editor().redo();
  expect(editor().edges.map((edge) => edge.target)).toEqual(['a']);
});

test('a new gesture takes redo away', () => {
  editor().gesture('Rename', label('a', 'One'));
  editor().undo();
  editor().gesture('Rename', label('a', 'Two'));

  expect(editor().redoStack).toEqual([]);
  editor().redo();
  expect(labelOf('a')).toBe('Two');
});

test('what others did while a field is being typed in is neither lost nor undone', () => {
  editor().edit(label('a', 'Half'));
  adopt(label('b', 'Theirs'), editor().base, 2);
  editor().commit('Edit');
  expect(
    editor()
      .undoStack.at(-1)
      ?.changes.map((change) => change.id),
  ).toEqual(['a']);

  editor().undo();
  expect([labelOf('a'), labelOf('b')]).toEqual(['A', 'Theirs']);
});

test('the last two hundred gestures can be undone, no more', () => {
  for (let turn = 0; turn < 205; turn += 1) editor().gesture('Rename', label('a', `${turn}`));

  expect(editor().undoStack).toHaveLength(200);
  for (let turn = 0; turn < 205; turn += 1) editor().undo();
  expect(labelOf('a')).toBe('4');
});

test('a gesture that touches a setting or a note is undone alone', () => {
  const note = { id: 'n', kind: 'note', text: '', position: { x: 0, y: 0 } };
  editor().gesture('Goal', (records) =>
    withRecords(records, [{ kind: 'setting', id: 'goal', value: 'Win' }]),
  );
  editor().gesture('Note', (records) =>
    withRecords(records, [{ kind: 'note', id: 'n', value: note }]),
  );
  editor().undo();

  expect([editor().records.settings.goal, editor().records.notes.size]).toEqual(['Win', 0]);
});

import { notifications } from '@mantine/notifications';
import { beforeEach, expect, test, vi } from 'vitest';
import type { GraphDetail } from '../../../api/types/types.ts';
import { copy } from '../../../graph/editing/clip/copy.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { duplicate, pasteText } from './clipboard.ts';
import { useLanded } from './clipboardEvents.ts';

const nodes = ['a', 'b'].map((id, index) => ({
  id,
  type: 'step',
  label: id,
  position: { x: index * 304, y: 0 },
}));
const document = { graphwright: 1, id: 'g', nodes, edges: [{ id: 'e', source: 'a', target: 'b' }] };
const detail = {
  id: 'g1',
  name: 'G',
  revision: 1,
  document,
  problems: [],
  can: { edit: true, publish: true, run: true },
} as unknown as GraphDetail;
const editor = () => useEditor.getState();
const clip = (...ids: string[]) => JSON.stringify(copy(editor().records, new Set(ids)));
const corner = { x: 80, y: 400 };

beforeEach(() => editor().load(detail, new Map([['step', nodeType('step')]])));

test('a paste is one gesture, selects what came, and is undone in one', () => {
  expect(pasteText(clip('a', 'b'), corner, false)).toBe(true);
  expect([selectedIds(), editor().undoStack.map((gesture) => gesture.label)]).toEqual([
    ['a_2', 'b_2'],
    ['Paste'],
  ]);

  editor().undo();
  expect([...editor().records.nodes.keys()]).toEqual(['a', 'b']);
  expect([...editor().records.edges.keys()]).toEqual(['e']);
});

test('a text that is no clip, or an empty one, is left to the field that it was meant for', () => {
  expect([
    pasteText('hello', corner, false),
    pasteText(clip(), corner, false),
    pasteText('', corner, true),
  ]).toEqual([false, false, false]);
  expect(editor().undoStack).toEqual([]);
});

test('a duplicate stands a little aside, without wires from outside, and is selected in place of the first', () => {
  editor().select(['b']);
  duplicate();

  expect(selectedIds()).toEqual(['b_2']);
  expect(editor().records.nodes.get('b_2')?.position).toEqual({ x: 336, y: 104 });
  expect([...editor().records.edges.values()].map((edge) => edge.target)).toEqual(['b']);
});

test('duplicating nothing does nothing', () => {
  duplicate();

  expect(editor().undoStack).toEqual([]);
});

test('what a reader pastes changes nothing', () => {
  const text = clip('a');
  editor().load({ ...detail, can: { edit: false, publish: false, run: false } }, new Map());
  pasteText(text, corner, false);

  expect([...editor().records.nodes.keys()]).toEqual(['a', 'b']);
});

test('what is pasted lies on nothing, and is told so that it comes in sight', () => {
  editor().select(['a']);
  const text = JSON.stringify(copy(editor().records, new Set(['a'])));
  pasteText(text, { x: 0, y: 0 }, false);

  const [id = ''] = selectedIds();
  const [a, fresh] = ['a', id].map((each) => editor().records.nodes.get(each)?.position);
  expect((fresh?.y ?? 0) - (a?.y ?? 0)).toBeGreaterThanOrEqual(100);
  expect(useLanded.getState().ids).toEqual([id]);
});

/** A clip of a node that reads two of three start fields, one as part of a text. */
function clipOfReader(): string {
  const property = { type: 'string', description: 'Who asks', examples: ['Ada'] };
  const reader = {
    ...nodes[0],
    read_keys: ['input.name'],
    config: { text: 'To {{ input.place }}' },
  };
  const inputs = {
    type: 'object',
    properties: { name: property, place: { type: 'string' }, other: { type: 'number' } },
    required: ['name'],
  };
  const source = { ...document, nodes: [reader], edges: [], interface: { inputs } };
  editor().load({ ...detail, document: source } as never, new Map([['step', nodeType('step')]]));
  return clip('a');
}

test('the start fields that pasted nodes read come along in the same step, and it is said', () => {
  const said = vi.spyOn(notifications, 'show').mockReturnValue('');
  const text = clipOfReader();
  const empty = { ...document, nodes: [], edges: [] };
  editor().load(
    { ...detail, id: 'g2', document: empty } as never,
    new Map([['step', nodeType('step')]]),
  );
  pasteText(text, corner, false);

  const inputs = () => editor().records.settings.interface?.inputs;
  expect(inputs()).toMatchObject({
    properties: {
      name: { type: 'string', description: 'Who asks', examples: ['Ada'] },
      place: { type: 'string' },
    },
    required: ['name'],
  });
  expect(Object.keys(inputs()?.properties ?? {})).toEqual(['name', 'place']);
  expect(said.mock.calls[0]?.[0].message).toContain('“name”, “place”');

  editor().undo();
  expect([editor().records.nodes.size, inputs() ?? null]).toEqual([0, null]);
});

test('a start field of that name that holds something else stays, and it is said', () => {
  const said = vi.spyOn(notifications, 'show').mockReturnValue('');
  const text = clipOfReader();
  const inputs = {
    type: 'object',
    properties: { name: { type: 'number' }, place: { type: 'string' } },
  };
  const other = { ...document, nodes: [], edges: [], interface: { inputs } };
  editor().load(
    { ...detail, id: 'g2', document: other } as never,
    new Map([['step', nodeType('step')]]),
  );
  pasteText(text, corner, false);

  expect(editor().records.settings.interface?.inputs).toEqual(inputs);
  expect(said.mock.calls.map(([{ message }]) => message)).toEqual([
    '“name” is Number here, and was Text where it was copied: look at what reads it.',
  ]);
});

test('where the start has the fields already nothing is said', () => {
  const said = vi.spyOn(notifications, 'show').mockReturnValue('');
  pasteText(clipOfReader(), corner, false);

  expect(said).not.toHaveBeenCalled();
});

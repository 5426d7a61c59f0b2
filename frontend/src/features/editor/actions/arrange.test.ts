import { notifications } from '@mantine/notifications';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useNoteEditing } from '../../../canvas/cards/noteEditing.ts';
import type { GraphDetail } from '../../../api/types/types.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { connect } from '../../../graph/editing/operations.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import {
  addNote,
  alignSelection,
  chosenFrame,
  deleteSelection,
  distributeSelection,
  frameSelection,
  nudge,
  selectAlong,
  selectInside,
  tidyUp,
  toggleDisabled,
} from './arrange.ts';

const at = (id: string, x: number, y: number) => ({
  id,
  type: 'step',
  label: id,
  position: { x, y },
});
const document = {
  graphwright: 1,
  id: 'g',
  nodes: [at('a', 0, 0), at('b', 400, 80), at('c', 1200, 320)],
  edges: [
    { id: 'ab', source: 'a', target: 'b' },
    { id: 'bc', source: 'b', target: 'c' },
  ],
};
const detail = {
  id: 'g1',
  name: 'G',
  revision: 1,
  document,
  problems: [],
  can: { edit: true, publish: true, run: true },
} as unknown as GraphDetail;
const editor = () => useEditor.getState();
const place = (id: string) => editor().records.nodes.get(id)?.position;
const steps = () => editor().undoStack.map(({ label }) => label);

/** A note or frame as a browser draws it: as large as the document says. */
function drawn(id: string): void {
  const size = editor().records.notes.get(id)?.size;
  if (!size) throw new Error(`${id} has no size`);
  useEditor.setState(({ nodes }) => ({
    nodes: nodes.map((node) => (node.id === id ? { ...node, measured: size } : node)),
  }));
}

beforeEach(() => editor().load(detail, new Map([['step', nodeType('step')]])));

describe('moving what is selected', () => {
  it('lines it up in one undo step', () => {
    editor().select(['a', 'b']);
    alignSelection('top');

    expect([place('a')?.y, place('b')?.y, place('c')?.y]).toEqual([0, 0, 320]);
    editor().undo();
    expect(place('b')).toEqual({ x: 400, y: 80 });
  });

  it('spreads three, and leaves one and two alone', () => {
    editor().select(['a', 'b']);
    distributeSelection('x');
    editor().select(['a']);
    alignSelection('left');
    expect(steps()).toEqual([]);

    editor().select(['a', 'b', 'c']);
    distributeSelection('x');
    expect([place('a')?.x, place('b')?.x, place('c')?.x]).toEqual([0, 600, 1200]);
  });

  it('nudges by so much, and nothing when nothing is selected', () => {
    nudge(8, 0);
    expect(steps()).toEqual([]);

    editor().select(['b']);
    nudge(8, -16);
    expect(place('b')).toEqual({ x: 408, y: 64 });
  });
});

describe('removing what is selected', () => {
  it('joins what one way led through, and where ways part only if it is asked to', () => {
    const wires = () =>
      [...editor().records.edges.values()].map(({ source, target }) => `${source}>${target}`);
    editor().select(['b']);
    deleteSelection(false);
    expect(wires()).toEqual(['a>c']);

    editor().undo();
    editor().gesture('Fork', (records) => connect(records, 'b', 'completed', 'a'));
    editor().select(['b']);
    deleteSelection(false);
    expect(wires()).toEqual([]);

    editor().undo();
    editor().select(['b']);
    deleteSelection(true);
    expect(wires()).toEqual(['a>c']);
  });

  it('says on screen what it joined unasked', () => {
    const shown = vi.spyOn(notifications, 'show').mockReturnValue('');
    editor().select(['b']);
    deleteSelection(false);
    expect(shown.mock.lastCall?.[0]).toMatchObject({
      title: 'Wire joined',
      message: 'a now leads to c. Undo takes it back.',
    });

    editor().select(['c']);
    deleteSelection(false);
    expect(shown).toHaveBeenCalledTimes(1);
    editor().undo();
    editor().undo();
    editor().select(['b']);
    deleteSelection(true);
    expect(shown).toHaveBeenCalledTimes(1);
    shown.mockRestore();
  });

  it('does nothing without a selection', () => {
    deleteSelection(false);

    expect([editor().records.nodes.size, steps()]).toEqual([3, []]);
  });
});

it('disables all when one is enabled, and enables when all are disabled', () => {
  const disabled = () => ['a', 'b'].map((id) => editor().records.nodes.get(id)?.disabled ?? false);
  editor().select(['a']);
  toggleDisabled();
  editor().select(['a', 'b']);
  toggleDisabled();
  expect(disabled()).toEqual([true, true]);

  toggleDisabled();
  expect(disabled()).toEqual([false, false]);
});

describe('notes and frames', () => {
  it('a note stands on the grid in free room, is selected and written', () => {
    addNote({ x: 13, y: 5 });

    const [id = ''] = selectedIds();
    expect(useNoteEditing.getState().id).toBe(id);
    expect(editor().records.notes.get(id)).toMatchObject({
      kind: 'note',
      text: '',
      position: { x: 16, y: 104 },
    });
  });

  it('a frame holds what was selected, and selects just that again', () => {
    editor().select(['a', 'b']);
    frameSelection();
    const [frame = ''] = selectedIds();
    expect(chosenFrame()).toBe(frame);
    drawn(frame);

    selectInside();
    expect(selectedIds()).toEqual(['a', 'b']);
    expect(chosenFrame()).toBeUndefined();
  });
});

it('selects all that follows, or all that leads here', () => {
  editor().select(['b']);
  selectAlong('downstream');
  expect(new Set(selectedIds())).toEqual(new Set(['b', 'c']));

  editor().select(['b']);
  selectAlong('upstream');
  expect(new Set(selectedIds())).toEqual(new Set(['a', 'b']));
});

describe('tidying up', () => {
  it('takes all into sight once it lies in its new place, and leaves the view to a part', async () => {
    vi.stubGlobal('window', { matchMedia: () => ({ matches: true }) });
    const before = place('c');
    const seen: unknown[] = [];
    editor().select([]);
    await tidyUp(() => seen.push(place('c')));
    expect(seen).toHaveLength(1);
    expect(seen[0]).not.toEqual(before);

    editor().select(['a', 'b']);
    await tidyUp(() => seen.push('a part'));
    expect(seen).toHaveLength(1);
    vi.unstubAllGlobals();
  });
});

// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { place } from '../../graph/editing/operations.ts';
import { useEditor } from '../editor.ts';
import { loadDraft } from '../testing.tsx';
import { keepUndo, restoreUndo } from './undoKept.ts';

const editor = () => useEditor.getState();
const move = (x: number) =>
  editor().gesture('Move', (records) => place(records, new Map([['a', { x, y: 0 }]])));

beforeEach(() => {
  sessionStorage.clear();
  loadDraft();
});

it('takes back after a reload what was done before it', () => {
  const stop = keepUndo('g1');
  move(40);
  move(80);
  editor().undo();
  stop();

  loadDraft({
    nodes: [
      { id: 'a', type: 'step', label: 'A', position: { x: 40, y: 0 } },
      { id: 'b', type: 'step', label: 'B' },
    ],
  });
  restoreUndo('g1');
  editor().redo();
  expect(editor().records.nodes.get('a')?.position?.x).toBe(80);
  editor().undo();
  editor().undo();
  expect(editor().records.nodes.get('a')?.position?.x).toBe(0);
});

it('is no other graph’s', () => {
  const stop = keepUndo('g1');
  move(40);
  stop();
  loadDraft();
  restoreUndo('other');
  expect(editor().undoStack).toEqual([]);
});

it('leaves out what is too large to keep, and survives nonsense', () => {
  const stop = keepUndo('g1');
  editor().gesture('Write', (records) => ({
    ...records,
    settings: { ...records.settings, goal: 'x'.repeat(1_100_000) },
  }));
  stop();
  expect(sessionStorage.getItem('graphwright.undo.g1')).toBeNull();

  sessionStorage.setItem('graphwright.undo.g1', '{"undo": 3');
  loadDraft();
  restoreUndo('g1');
  expect(editor().undoStack).toEqual([]);
});

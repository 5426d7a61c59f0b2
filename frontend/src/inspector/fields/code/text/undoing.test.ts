// @vitest-environment jsdom
import { history, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { beforeEach, expect, it } from 'vitest';
import { place } from '../../../../graph/editing/operations.ts';
import { useEditor } from '../../../../store/editor.ts';
import { loadDraft } from '../../../../store/testing.tsx';
import { undoOfWorkflow } from './undoing.ts';

const stroke = (more: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, cancelable: true, ...more });
const fresh = () => EditorState.create({ doc: 'Judge it.', extensions: [history()] });
const move = (x: number) =>
  useEditor.getState().gesture('Move', (now) => place(now, new Map([['a', { x, y: 0 }]])));
const at = () => useEditor.getState().records.nodes.get('a')?.position?.x;

beforeEach(() => {
  loadDraft();
  move(640);
});

it('a text without a step of its own hands undo and redo on to the workflow', () => {
  const before = stroke();
  expect(undoOfWorkflow(before, fresh())).toBe(true);
  expect([at(), before.defaultPrevented]).not.toContain(640);
  expect(before.defaultPrevented).toBe(true);

  expect(undoOfWorkflow(stroke({ shiftKey: true, key: 'Z' }), fresh())).toBe(true);
  expect(at()).toBe(640);
});

it('what was typed here is taken back first', () => {
  let state = fresh();
  const apply = (spec: TransactionSpec) => (state = state.update(spec).state);
  apply({ changes: { from: 0, insert: 'Please: ' }, userEvent: 'input.type' });

  expect(undoOfWorkflow(stroke(), state)).toBe(false);
  undo({ state, dispatch: (change) => (state = change.state) });
  expect(undoOfWorkflow(stroke({ shiftKey: true, key: 'Z' }), state)).toBe(false);
  expect(at()).toBe(640);
  expect(undoOfWorkflow(stroke({ repeat: true }), state)).toBe(true);
  expect(at()).toBe(640);
  expect(undoOfWorkflow(stroke(), state)).toBe(true);
  expect(at()).not.toBe(640);
});

it('other keys, and a draft that one may only read, are left alone', () => {
  expect(undoOfWorkflow(stroke({ key: 'b' }), fresh())).toBe(false);

  loadDraft({}, { can: { edit: false, publish: false, run: false } });
  expect(undoOfWorkflow(stroke(), fresh())).toBe(false);
});

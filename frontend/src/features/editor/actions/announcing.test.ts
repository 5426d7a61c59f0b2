import { beforeEach, expect, it } from 'vitest';
import { connect, remove } from '../../../graph/editing/operations.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft } from '../../../store/testing.tsx';
import { gestureWords } from './announcing.ts';

const editor = () => useEditor.getState();

/** What is said of the step between two looks. */
function said(step: () => void): string {
  const before = editor();
  step();
  return gestureWords(editor(), before);
}

beforeEach(() => loadDraft());

it('says what was drawn, and what was taken back and done again', () => {
  expect(
    said(() => editor().gesture('Connect', (now) => connect(now, 'b', 'completed', 'a'))),
  ).toBe('Wired B, to A');
  expect(said(() => editor().undo())).toBe('Undone: Connect');
  expect(said(() => editor().redo())).toBe('Done again: Connect');
  expect(said(() => editor().gesture('Delete', (now) => remove(now, new Set(['b']))))).toBe(
    'Deleted B',
  );
});

it('says nothing where nothing was drawn', () => {
  expect(said(() => editor().select(['a']))).toBe('');
});

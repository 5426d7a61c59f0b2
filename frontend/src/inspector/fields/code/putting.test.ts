import { history, undo, undoDepth } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import type { NameInfo } from '../../../graph/schema/names.ts';
import type { Language } from './CodeField.tsx';
import { fromOutside, putValue } from './putting.ts';

/** What stands in a text after a value was put where the cursor is. */
function put(language: Language, doc: string, at = doc.length): string {
  let state = EditorState.create({ doc, selection: { anchor: at } });
  const editor = {
    get state() {
      return state;
    },
    dispatch: (spec: TransactionSpec) => (state = state.update(spec).state),
    focus: () => undefined,
  } as unknown as EditorView;
  putValue(editor, language, { name: 'input.plan' } as NameInfo, () => undefined);
  return (
    state.sliceDoc(0, state.selection.main.head) + '|' + state.sliceDoc(state.selection.main.head)
  );
}

test.each<[Language, string, number | undefined, string]>([
  ['expression', 'input.age > 18', undefined, 'input.age > 18 input.plan|'],
  ['expression', 'input.age > 18', 0, 'input.plan| input.age > 18'],
  ['expression', 'size() > 1', 5, 'size(input.plan|) > 1'],
  ['expression', 'a == ', undefined, 'a == input.plan|'],
  ['template', 'Dear ', undefined, 'Dear {{ input.plan }}|'],
  ['template', 'Dear', 0, '{{ input.plan }}|Dear'],
  ['jsonpath', '$.previous', undefined, '$.input.plan|'],
])('a value put into %s “%s” becomes no part of another', (language, doc, at, after) =>
  expect(put(language, doc, at)).toBe(after),
);

test('undoing takes back what was typed here, never what came from elsewhere', () => {
  let state = EditorState.create({ doc: 'Judge it.', extensions: [history()] });
  const apply = (spec: TransactionSpec) => {
    state = state.update(spec).state;
  };
  apply({ changes: { from: 0, insert: 'Please: ' }, userEvent: 'input.type' });
  apply(fromOutside(state.doc.toString(), 'Please: Judge it. Ben too.'));

  undo({ state, dispatch: (change) => (state = change.state) });

  expect(state.doc.toString()).toBe('Judge it. Ben too.');
  expect(undoDepth(state)).toBe(0);
});

import { history, undo, undoDepth } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import { fromOutside } from './putting.ts';

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

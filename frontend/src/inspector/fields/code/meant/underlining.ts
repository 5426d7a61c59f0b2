import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import { meantWords, type MeantWord } from './words.ts';

const tell = StateEffect.define<readonly MeantWord[]>();

const words = StateField.define<readonly MeantWord[]>({
  create: () => [],
  update: (now, { effects }) => effects.find((each) => each.is(tell))?.value ?? now,
});

const drawn = EditorView.decorations.compute([words, 'doc'], marksOf);

const look = EditorView.baseTheme({
  '.cm-meant': { textDecoration: 'underline wavy var(--gw-amber)', textUnderlineOffset: '3px' },
  '.cm-meant[data-severity=error]': { textDecorationColor: 'var(--gw-red)' },
});

function marksOf(state: EditorState): DecorationSet {
  const places = meantWords(state.doc.toString(), state.field(words));
  return Decoration.set(
    places.map(({ from, to, severity }) =>
      Decoration.mark({ class: 'cm-meant', attributes: { 'data-severity': severity } }).range(
        from,
        to,
      ),
    ),
  );
}

/** Draws a line under what problems mean of a text, wherever it is moved to by typing. */
export const underlining: Extension = [words, drawn, look];

/** Say which words are meant now. */
export function underline(editor: EditorView, meant: readonly MeantWord[]): void {
  editor.dispatch({ effects: tell.of(meant) });
}

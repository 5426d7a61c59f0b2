import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  HighlightStyle,
  StreamLanguage,
  bracketMatching,
  syntaxHighlighting,
} from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { cspNonce } from '../../../api/http/nonce.ts';
import type { NameInfo } from '../../../graph/schema/names.ts';
import classes from '../../inspector.module.css';
import type { Language } from './CodeField.tsx';
import { completeFrom } from './completing.ts';
import { parserOf } from './languages.ts';
import { droppingOn, fromOutside, putValue } from './putting.ts';
import { undoOfWorkflow } from './text/undoing.ts';
import type { MeantWord } from './meant/words.ts';
import { underline, underlining } from './meant/underlining.ts';
import type { Offer } from '../values/offers.ts';
import { ValuesMenu } from '../values/ValuesMenu.tsx';
import valueClasses from '../values/values.module.css';

const highlight = HighlightStyle.define([
  { tag: tags.string, color: 'var(--gw-green)' },
  { tag: tags.number, color: 'var(--gw-blue)' },
  { tag: tags.bool, color: 'var(--gw-blue)' },
  { tag: tags.keyword, color: 'var(--gw-violet)' },
  { tag: tags.variableName, color: 'var(--gw-accent)' },
  { tag: tags.propertyName, color: 'var(--gw-tint-1)' },
  { tag: tags.bracket, color: 'var(--gw-amber)' },
  { tag: tags.comment, color: 'var(--gw-text-faint)' },
]);

const look = EditorView.theme({
  '&': { fontSize: '12px', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    padding: '6px 0',
    caretColor: 'var(--gw-text)',
  },
  '.cm-line': { padding: '0 8px', lineHeight: '18px' },
  '.cm-scroller': { maxHeight: '260px' },
  '.cm-cursor': { borderLeftColor: 'var(--gw-text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--gw-accent-soft)' },
  '.cm-placeholder': { color: 'var(--gw-text-faint)' },
  '.cm-tooltip': {
    border: '1px solid var(--gw-border)',
    borderRadius: '8px',
    backgroundColor: 'var(--gw-surface)',
    boxShadow: 'var(--gw-shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: '220px',
    maxWidth: '380px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', color: 'var(--gw-text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--gw-accent-soft)',
    color: 'var(--gw-text)',
  },
  '.cm-completionDetail': {
    fontFamily: 'var(--mantine-font-family)',
    fontStyle: 'normal',
    color: 'var(--gw-text-dim)',
  },
});

interface CodeEditorProps {
  language: Language;
  label: string;
  value: string;
  names: readonly NameInfo[];
  readOnly: boolean;
  /** What problems mean of the text. */
  meant?: readonly MeantWord[];
  onChange: (value: string) => void;
  /** A value was put in whole, not typed: what it needs may be allowed. */
  onUse?: (info: NameInfo) => void;
  /** The text was typed in, with the place of the cursor, or left (null). */
  onTyped?: (text: string, cursor: number | null) => void;
}

/** CodeMirror with the project's two small languages. */
export default function CodeEditor(props: CodeEditorProps) {
  const { language, label, value, readOnly } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  const start = useRef(value);
  const editable = useRef(new Compartment());
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: start.current,
        extensions: [
          EditorView.cspNonce.of(cspNonce()),
          history(),
          bracketMatching(),
          closeBrackets(),
          look,
          underlining,
          syntaxHighlighting(highlight),
          EditorView.lineWrapping,
          StreamLanguage.define(parserOf(language)),
          editable.current.of(EditorState.readOnly.of(latest.current.readOnly)),
          language === 'json'
            ? []
            : autocompletion({
                override: [
                  completeFrom(
                    language,
                    () => latest.current.names,
                    (info) => latest.current.onUse?.(info),
                  ),
                ],
                icons: false,
              }),
          EditorView.domEventHandlers({
            keydown: (event, { state }) => undoOfWorkflow(event, state),
            blur: (_, { state }) => latest.current.onTyped?.(state.doc.toString(), null),
          }),
          EditorView.domEventHandlers(droppingOn(language, (info) => latest.current.onUse?.(info))),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          placeholder(language === 'template' ? 'Text; type / to put in a value' : ''),
          EditorView.updateListener.of((update) => {
            if (
              update.docChanged &&
              update.transactions.some((change) => !change.isUserEvent('outside'))
            ) {
              const text = update.state.doc.toString();
              latest.current.onChange(text);
              latest.current.onTyped?.(text, update.state.selection.main.head);
            }
          }),
        ],
      }),
    });
    // what is put in before anybody clicked goes behind what stands there
    editor.dispatch({ selection: { anchor: editor.state.doc.length } });
    view.current = editor;
    return () => editor.destroy();
  }, [language, label]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch(fromOutside(editor.state.doc.toString(), value));
  }, [value]);
  const { meant } = props;
  useEffect(() => {
    if (view.current) underline(view.current, meant ?? []);
  }, [meant, language, label]);
  useEffect(() => {
    view.current?.dispatch({
      effects: editable.current.reconfigure(EditorState.readOnly.of(readOnly)),
    });
  }, [readOnly]);
  const put = (info: NameInfo, offer?: Offer) => {
    if (!view.current) return;
    putValue(view.current, language, info, (used) => latest.current.onUse?.(used), offer);
  };
  const values = language !== 'json' && !readOnly && props.names.length > 0;
  // one structure with and without names, as the editor would be left behind in what held it
  return (
    <div className={valueClasses.beside}>
      <div
        ref={host}
        className={classes.codeBox}
        data-lines={
          language === 'template' || (language === 'json' && value !== '') ? 'many' : 'one'
        }
      />
      {values ? <ValuesMenu label={label} names={props.names} fit={language} onPick={put} /> : null}
    </div>
  );
}

import { Transaction, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { NameInfo } from '../../../graph/schema/names.ts';
import { droppedValue, isValue } from '../values/dragging.ts';
import type { Offer } from '../values/offers.ts';
import type { Language } from './CodeField.tsx';
import { formOf } from './completing.ts';

/** Spaces around a value of an expression, so that it becomes no part of what stands on either side. */
function apart(language: Language, before: string, behind: string): [string, string] {
  if (language !== 'expression') return ['', ''];
  return [/[\w$.)\]'"]$/.test(before) ? ' ' : '', /^[\w$'"]/.test(behind) ? ' ' : ''];
}

/** Put a value into a text, as the place needs it, and take the cursor there. A path is one value: it is replaced. */
export function putValue(
  editor: EditorView,
  language: Language,
  info: NameInfo,
  onUse: (info: NameInfo) => void,
  offer?: Offer,
): void {
  const doc = editor.state.doc.toString();
  const { from, to } =
    language === 'jsonpath' ? { from: 0, to: doc.length } : editor.state.selection.main;
  const text = formOf(language, doc, from, offer?.text ?? info.name);
  const [left, right] = apart(language, doc.slice(0, from), doc.slice(to));
  const inside = offer?.select ? text.lastIndexOf(offer.select) : -1;
  const anchor = from + left.length + (inside < 0 ? text.length : inside);
  const head = inside < 0 ? anchor : anchor + (offer?.select ?? '').length;
  const insert = `${left}${text}${right}`;
  editor.dispatch({ changes: { from, to, insert }, selection: { anchor, head } });
  onUse(info); // before the focus moves, as that ends the undo step
  editor.focus();
}

/** The least change from one text to another: the cursor of whoever types stands still. */
export function changeTo(
  now: string,
  wanted: string,
): { from: number; to: number; insert: string } {
  const most = Math.min(now.length, wanted.length);
  let from = 0;
  while (from < most && now[from] === wanted[from]) from += 1;
  let tail = 0;
  while (tail < most - from && now.at(-1 - tail) === wanted.at(-1 - tail)) tail += 1;
  return { from, to: now.length - tail, insert: wanted.slice(from, wanted.length - tail) };
}

/** The least change to what the draft says now: not typed here, so nothing that undoing takes back. */
export const fromOutside = (now: string, wanted: string): TransactionSpec => ({
  changes: changeTo(now, wanted),
  userEvent: 'outside',
  annotations: Transaction.addToHistory.of(false),
});

/** Takes a row of the tree that is dropped on a text; other drops are left to the editor. */
export const droppingOn = (language: Language, onUse: (info: NameInfo) => void) => ({
  dragover: (event: DragEvent) => {
    if (!isValue(event.dataTransfer)) return false;
    event.preventDefault();
    return true;
  },
  drop: (event: DragEvent, editor: EditorView) => {
    const info = droppedValue(event.dataTransfer);
    if (!info || language === 'json' || editor.state.readOnly) return false;
    event.preventDefault();
    const end = editor.state.doc.length;
    const at = editor.posAtCoords({ x: event.clientX, y: event.clientY }) ?? end;
    editor.dispatch({ selection: { anchor: at } });
    putValue(editor, language, info, onUse);
    return true;
  },
});

import { useEffect } from 'react';
import { create } from 'zustand';
import { copy } from '../../../graph/editing/clip/copy.ts';
import { remove } from '../../../graph/editing/operations.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import type * as clipboard from './clipboard.ts';

type Clipboard = typeof clipboard;
let loaded: Clipboard | null = null;

/** The nodes and notes as the text that goes on the clipboard. */
export const clipOf = (ids: ReadonlySet<string>) =>
  JSON.stringify(copy(useEditor.getState().records, ids), null, 2);
/** Take away what was put on the clipboard. */
export const cutOut = (ids: ReadonlySet<string>) =>
  useEditor.getState().gesture('Cut', (records) => remove(records, ids));

/** Fetch what pastes beside the first page and not before it. */
export async function loadClipboard(): Promise<Clipboard> {
  loaded ??= await import('./clipboard.ts');
  return loaded;
}

/** What was pasted last, to be brought in sight. */
export const useLanded = create<{ ids: readonly string[] }>(() => ({ ids: [] }));

/** Whether the focus is in a field. The target of a clipboard event may be a field that was left: the selection stays in it. */
function isTyping(): boolean {
  const target = document.activeElement;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/**
 * Copy or cut by the browser's event, during the event: what is written later may find the page left, or a
 * browser that lets nobody write the clipboard without a key.
 */
function take(event: ClipboardEvent): void {
  const ids = new Set(selectedIds());
  if (isTyping() || ids.size === 0 || window.getSelection()?.toString()) return;
  event.preventDefault();
  event.clipboardData?.setData('text/plain', clipOf(ids));
  if (event.type === 'cut') cutOut(ids);
}

/** Paste by the browser's event; text that is no clip is left to the browser. */
function put(
  event: ClipboardEvent,
  corner: () => { x: number; y: number },
  keepWires: boolean,
): void {
  if (isTyping() || !useEditor.getState().can.edit) return;
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (!loaded)
    return void loadClipboard().then((late) => late.pasteText(text, corner(), keepWires));
  if (loaded.pasteText(text, corner(), keepWires)) event.preventDefault();
}

/** Copy, cut and paste of nodes as JSON text, by the browser's own events: works across tabs and machines. */
export function useClipboard(corner: () => { x: number; y: number }): void {
  useEffect(() => {
    void loadClipboard();
    let shift = false;
    const keys = (event: KeyboardEvent) => {
      shift = event.shiftKey;
    };
    const paste = (event: ClipboardEvent) => put(event, corner, shift);
    window.addEventListener('keydown', keys, true);
    document.addEventListener('copy', take);
    document.addEventListener('cut', take);
    document.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('keydown', keys, true);
      document.removeEventListener('copy', take);
      document.removeEventListener('cut', take);
      document.removeEventListener('paste', paste);
    };
  }, [corner]);
}

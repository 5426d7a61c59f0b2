import { useEffect } from 'react';
import { create } from 'zustand';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import type * as clipboard from './clipboard.ts';

type Clipboard = typeof clipboard;
let loaded: Clipboard | null = null;

/** Fetch what copies and pastes beside the first page and not before it. */
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

/** Copy or cut by the browser's event; one that comes before the rest is there writes the clipboard a moment later. */
function take(event: ClipboardEvent): void {
  const ids = new Set(selectedIds());
  if (isTyping() || ids.size === 0 || window.getSelection()?.toString()) return;
  const isCut = event.type === 'cut';
  event.preventDefault();
  if (!loaded) return void loadClipboard().then((late) => late.copyClipboard(isCut));
  event.clipboardData?.setData('text/plain', loaded.clipOf(ids));
  if (isCut) loaded.cutOut(ids);
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

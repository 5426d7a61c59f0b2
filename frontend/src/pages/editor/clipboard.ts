import { useEffect } from 'react';
import { copy, paste, readClip, remove } from '../../graph/operations.ts';
import { selectedIds, useEditor } from '../../store/editor.ts';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Paste the clip in a text at a corner; text that is no clip does nothing. Gives whether it was one. */
export function pasteText(text: string, corner: { x: number; y: number }, keepWires: boolean): boolean {
  const clip = readClip(text);
  if (!clip || clip.nodes.length + clip.notes.length === 0) return false;
  let ids: string[] = [];
  useEditor.getState().gesture('Paste', (records) => {
    const result = paste(records, clip, corner, useEditor.getState().types, keepWires);
    ids = result.ids;
    return result.records;
  });
  useEditor.getState().select(ids);
  return true;
}

/** The selection again, a little to the lower right. */
export function duplicate(): void {
  const { records } = useEditor.getState();
  const ids = new Set(selectedIds());
  const clip = copy(records, ids);
  const places = [...clip.nodes, ...clip.notes].map((item) => item.position ?? { x: 0, y: 0 });
  if (places.length === 0) return;
  const corner = { x: Math.min(...places.map((place) => place.x)) + 32, y: Math.min(...places.map((place) => place.y)) + 96 };
  pasteText(JSON.stringify(clip), corner, false);
}

/** Copy, cut and paste of nodes as JSON text, by the browser's own events: works across tabs and machines. */
export function useClipboard(corner: () => { x: number; y: number }): void {
  useEffect(() => {
    let shift = false;
    const keys = (event: KeyboardEvent) => {
      shift = event.shiftKey;
    };
    const take = (event: ClipboardEvent) => {
      const ids = new Set(selectedIds());
      if (isTyping(event.target) || ids.size === 0 || window.getSelection()?.toString()) return;
      event.clipboardData?.setData('text/plain', JSON.stringify(copy(useEditor.getState().records, ids), null, 2));
      event.preventDefault();
      if (event.type === 'cut') useEditor.getState().gesture('Cut', (records) => remove(records, ids));
    };
    const put = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !useEditor.getState().can.edit) return;
      if (pasteText(event.clipboardData?.getData('text/plain') ?? '', corner(), shift)) event.preventDefault();
    };
    window.addEventListener('keydown', keys, true);
    document.addEventListener('copy', take);
    document.addEventListener('cut', take);
    document.addEventListener('paste', put);
    return () => {
      window.removeEventListener('keydown', keys, true);
      document.removeEventListener('copy', take);
      document.removeEventListener('cut', take);
      document.removeEventListener('paste', put);
    };
  }, [corner]);
}

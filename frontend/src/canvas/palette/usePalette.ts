import { useCallback, useState } from 'react';
import { useEditor } from '../../store/editor.ts';

const storageKey = 'graphwright.palette';

function kept(): boolean | null {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === null ? null : stored === 'open';
  } catch {
    return null;
  }
}

/**
 * Whether the palette shows its names: as it was left on this machine. Where nobody said so it is a strip
 * as soon as something is drawn on a narrow page, for it would lie on the drawing.
 */
export function usePalette(narrow: boolean): { open: boolean; toggle: () => void } {
  const isDrawn = useEditor((state) => state.records.nodes.size > 0);
  const [said, say] = useState(kept);
  const open = said ?? !(narrow && isDrawn);
  const toggle = useCallback(() => {
    say(!open);
    try {
      localStorage.setItem(storageKey, open ? 'closed' : 'open');
    } catch {
      // Without storage it is forgotten with the page.
    }
  }, [open]);
  return { open, toggle };
}

import { type RefObject, useEffect } from 'react';
import { START } from '../../graph/document/document.ts';
import { type EditorState, useEditor } from '../../store/editor.ts';
import { elementId } from '../../store/flow.ts';

/** The element that the canvas stands at: the card, or the start, that alone is selected; undefined for none. */
export function activeElement(state: EditorState): string | undefined {
  const chosen = state.nodes.filter((node) => node.selected);
  const [only] = chosen;
  const told = only?.type === 'card' || only?.id === START;
  return chosen.length === 1 && only && told ? elementId(only.id) : undefined;
}

/** Cards are drawn as they come in sight: so long it takes until one that was selected is there. */
const DRAWN_MS = 120;

/** Tell those who listen at which card the canvas stands, as far as it is drawn. */
export function useActiveElement(pane: RefObject<HTMLElement | null>): void {
  const active = useEditor(activeElement);
  useEffect(() => {
    const tell = () => {
      const canvas = pane.current?.querySelector('.react-flow');
      if (active && document.getElementById(active))
        canvas?.setAttribute('aria-activedescendant', active);
      else canvas?.removeAttribute('aria-activedescendant');
    };
    tell();
    const later = setTimeout(tell, DRAWN_MS);
    return () => clearTimeout(later);
  }, [active, pane]);
}

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

/** Tell those who listen at which card the canvas stands, as long as it is drawn: out of sight it is not. */
export function useActiveElement(pane: RefObject<HTMLElement | null>): void {
  const active = useEditor(activeElement);
  useEffect(() => {
    const canvas = pane.current?.querySelector('.react-flow');
    const tell = () => {
      if (active && document.getElementById(active))
        canvas?.setAttribute('aria-activedescendant', active);
      else canvas?.removeAttribute('aria-activedescendant');
    };
    tell();
    const drawn = canvas?.querySelector('.react-flow__nodes');
    if (!active || !drawn) return undefined;
    // cards come and go with what is in sight, long after one was chosen
    const watch = new MutationObserver(tell);
    watch.observe(drawn, { childList: true });
    return () => watch.disconnect();
  }, [active, pane]);
}

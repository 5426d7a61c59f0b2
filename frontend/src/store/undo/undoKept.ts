import { type Gesture, useEditor } from '../editor.ts';

/** Gestures that outlive a reload, and how much room they may take in the tab's storage. */
const KEPT = 60;
const MOST_CHARACTERS = 1_000_000;
const WAIT_MS = 400;

const keyOf = (graphId: string) => `graphwright.undo.${graphId}`;

interface Kept {
  undo: Gesture[];
  redo: Gesture[];
}

/** Bring back what this tab could take back before it was loaded anew. */
export function restoreUndo(graphId: string): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(graphId)) ?? 'null') as Kept | null;
    if (kept && Array.isArray(kept.undo) && Array.isArray(kept.redo))
      useEditor.setState({ undoStack: kept.undo, redoStack: kept.redo });
  } catch {
    // What is no list of gestures is none.
  }
}

function write(graphId: string): void {
  const { undoStack, redoStack } = useEditor.getState();
  let kept: Kept = { undo: undoStack.slice(-KEPT), redo: redoStack.slice(-KEPT) };
  let text = JSON.stringify(kept);
  if (text.length > MOST_CHARACTERS) {
    kept = { undo: undoStack.slice(-8), redo: [] };
    text = JSON.stringify(kept);
  }
  try {
    if (text.length > MOST_CHARACTERS) sessionStorage.removeItem(keyOf(graphId));
    else sessionStorage.setItem(keyOf(graphId), text);
  } catch {
    // Storage is full or forbidden: then undo ends with the page.
  }
}

/** Keep what can be taken back in this tab's storage while a graph is edited; gives what ends that. */
export function keepUndo(graphId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    write(graphId);
  };
  const stop = useEditor.subscribe((state, before) => {
    if (state.graphId !== graphId) return;
    if (state.undoStack === before.undoStack && state.redoStack === before.redoStack) return;
    clearTimeout(timer);
    timer = setTimeout(now, WAIT_MS);
  });
  const leave = () => timer !== undefined && now();
  window.addEventListener('pagehide', leave);
  return () => {
    leave();
    stop();
    window.removeEventListener('pagehide', leave);
  };
}

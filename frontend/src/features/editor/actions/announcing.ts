import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { RunStatus } from '../../../api/types/types.ts';
import { nameOf, toldOf, wireSaid } from '../../../graph/wiring/told.ts';
import { isTerminal } from '../../../run/fold/model.ts';
import { type EditorState, selectedEdgeIds, useEditor } from '../../../store/editor.ts';
import { announce } from '../../../ui/announce.ts';
import { useTesting } from '../testrun/testing.ts';
import type { TestRun } from '../testrun/useTestRun.ts';

const portsIn =
  ({ nodes }: EditorState) =>
  (id: string) => {
    const node = nodes.find((card) => card.id === id);
    return node?.type === 'card' ? node.data.ports : [];
  };

/** Say which wire is selected: the focus stays where it is, so nothing else does. */
export function announceWire(): void {
  const state = useEditor.getState();
  const edge = state.records.edges.get(selectedEdgeIds(state)[0] ?? '');
  if (edge) announce(`Wire: ${wireSaid(edge, portsIn(state), (id) => nameOf(state.records, id))}`);
}

/** What the last gesture did, in words for the ear; empty where nothing is to be said. */
export function gestureWords(now: EditorState, before: EditorState): string {
  const [last, undone] = [now.undoStack.at(-1), before.redoStack.at(-1)];
  if (now.redoStack.length > before.redoStack.length)
    return `Undone: ${now.redoStack.at(-1)?.label ?? ''}`;
  if (!last || before.undoStack.includes(last)) return ''; // steps can also be dropped
  const again = undone && now.redoStack.length === before.redoStack.length - 1;
  if (again && undone.label === last.label) return `Done again: ${last.label}`;
  return toldOf(last.changes, now.records, portsIn(now));
}

const words: Partial<Record<RunStatus, string>> = {
  waiting: 'The run waits for a person',
  completed: 'The run has ended',
  failed: 'The run failed',
  cancelled: 'The run was stopped',
  timeout: 'The run took too long',
};

/** Say aloud what is drawn, and how the test run goes. */
export function useAnnouncing({ live }: TestRun): void {
  useEffect(
    () =>
      useEditor.subscribe((now, before) => {
        if (now.undoStack !== before.undoStack && now.graphId === before.graphId)
          announce(gestureWords(now, before));
      }),
    [],
  );
  const runId = useTesting((state) => state.runId);
  const starting = useTesting((state) => state.starting);
  const status = useStore(live.store, (state) => state.head.status);
  useEffect(() => {
    if (starting) announce('The run starts');
  }, [starting]);
  useEffect(() => {
    const seen = followed.id === runId ? followed.status : null;
    followed = { id: runId, status };
    if (seen !== null && seen !== status && !(isTerminal(seen) && isTerminal(status)))
      announce(words[status] ?? '');
  }, [runId, status]);
}

/** The run whose ways are told, and how it stood. What ended before one looked is not told. */
let followed: { id: string | null; status: RunStatus | null } = { id: null, status: null };

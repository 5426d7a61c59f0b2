import { redoDepth, undoDepth } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import { useEditor } from '../../../../store/editor.ts';
import { matchesKeys } from '../../../../ui/keys/keys.ts';

const steps = [
  { keys: ['Mod+Z'], own: undoDepth, step: 'undo' },
  { keys: ['Mod+Shift+Z', 'Mod+Y'], own: redoDepth, step: 'redo' },
] as const;

/**
 * Undo and redo in a text that has nothing of its own to take back are those of the workflow: what was
 * typed on an earlier visit is a step there. Gives whether the stroke was taken; one that is held down
 * stops at the end of the text's own steps.
 */
export function undoOfWorkflow(event: KeyboardEvent, state: EditorState): boolean {
  const asked = steps.find(({ keys }) => keys.some((each) => matchesKeys(each, event)));
  const { can, undo, redo } = useEditor.getState();
  if (!asked || asked.own(state) > 0 || !can.edit) return false;
  event.preventDefault();
  if (!event.repeat) (asked.step === 'undo' ? undo : redo)();
  return true;
}

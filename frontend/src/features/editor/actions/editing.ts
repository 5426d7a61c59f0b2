import type { Action } from '../../../actions/registry.ts';
import type { Position } from '../../../api/types/types.ts';
import { writeNote } from '../../../canvas/cards/noteEditing.ts';
import { START } from '../../../graph/document/document.ts';
import { requestFocus, requestNew } from '../../../inspector/focus.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { saveNow } from '../../../store/saving.ts';
import { deleteSelection, toggleDisabled } from './arrange.ts';
import { loadClipboard } from '../transfer/clipboardEvents.ts';
import {
  anyNode,
  anything,
  chosen,
  chosenStart,
  editable,
  givesFields,
  notExtracted,
  oneEdge,
  someSelected,
} from './conditions.ts';
import type { EditorPageApi } from './pageApi.ts';

/** Write the words of a note or frame in place, those of a node in the inspector. */
function rename(page: EditorPageApi): void {
  const [id = ''] = selectedIds();
  if (useEditor.getState().records.notes.has(id)) writeNote(id);
  else page.rename();
}

/** Show where it is said when the chosen edge is taken; one that is always taken gets the field for a condition. */
function editCondition(): void {
  const edge = oneEdge();
  if (edge) requestFocus(edge.when ? 'when' : edge.trigger === 'agent' ? 'trigger' : 'condition');
}

/** Paste at a place that is asked for at once: the menu says where only while its action begins. */
function pasteAt(corner: Position, keepWires: boolean): void {
  void loadClipboard().then((late) => late.pasteClipboard(corner, keepWires));
}

/** What changes the parts that are selected, and takes changes back. */
export function editing(page: EditorPageApi): Action[] {
  const group = 'Edit';
  return [
    {
      id: 'editor.undo',
      label: 'Undo',
      group,
      keys: ['Mod+Z'],
      enabled: editable,
      run: () => useEditor.getState().undo(),
    },
    {
      id: 'editor.redo',
      label: 'Redo',
      group,
      keys: ['Mod+Shift+Z', 'Mod+Y'],
      enabled: editable,
      run: () => useEditor.getState().redo(),
    },
    {
      id: 'editor.copy',
      label: 'Copy',
      group,
      keys: ['Mod+C'],
      native: true,
      enabled: () => selectedIds().length > 0,
      run: () => void loadClipboard().then((late) => late.copyClipboard(false)),
    },
    {
      id: 'editor.cut',
      label: 'Cut',
      group,
      keys: ['Mod+X'],
      native: true,
      enabled: chosen,
      run: () => void loadClipboard().then((late) => late.copyClipboard(true)),
    },
    {
      id: 'editor.paste',
      label: 'Paste',
      group,
      keys: ['Mod+V'],
      native: true,
      enabled: editable,
      run: () => pasteAt(page.centre(), false),
    },
    {
      id: 'editor.paste-wires',
      label: 'Paste with incoming wires',
      group,
      keys: ['Mod+Shift+V'],
      native: true,
      enabled: editable,
      run: () => pasteAt(page.centre(), true),
    },
    {
      id: 'editor.duplicate',
      label: 'Duplicate',
      group,
      keys: ['Mod+D'],
      enabled: chosen,
      run: () => void loadClipboard().then((late) => late.duplicate()),
    },
    {
      id: 'editor.delete',
      label: 'Delete',
      group,
      keys: ['Delete', 'Backspace'],
      enabled: anything,
      run: () => deleteSelection(false),
    },
    {
      id: 'editor.heal',
      label: 'Delete and heal',
      group,
      keys: ['Mod+Backspace'],
      enabled: chosen,
      run: () => deleteSelection(true),
    },
    {
      id: 'editor.extract',
      label: 'Extract to a subgraph',
      group,
      keys: ['Mod+Shift+G'],
      also: 'move into workflow',
      enabled: chosen,
      whyNot: notExtracted,
      run: page.extract,
    },
    {
      id: 'editor.disable',
      label: 'Disable or enable',
      group,
      keys: ['D'],
      enabled: () => editable() && anyNode(),
      run: toggleDisabled,
    },
    {
      id: 'editor.rename',
      label: 'Rename',
      group,
      keys: ['F2'],
      enabled: () => editable() && selectedIds().length === 1,
      run: () => rename(page),
    },
    {
      id: 'editor.fields',
      label: 'Name the fields it gives',
      group,
      keys: ['G'],
      also: 'start inputs outputs gives add',
      enabled: givesFields,
      run: () => requestNew(chosenStart() ? 'interface.inputs' : 'gives'),
    },
    {
      id: 'editor.condition',
      label: 'Edit condition',
      group,
      also: 'wire edge guard',
      enabled: () => Boolean(oneEdge() && oneEdge()?.source !== START),
      run: editCondition,
    },
    {
      id: 'editor.inspect',
      label: 'Open the inspector',
      group,
      keys: ['Enter'],
      enabled: someSelected,
      run: page.focusInspector,
    },
    {
      id: 'editor.save',
      label: 'Save now',
      group,
      keys: ['Mod+S'],
      whileTyping: true,
      run: () => void saveNow(),
    },
  ];
}

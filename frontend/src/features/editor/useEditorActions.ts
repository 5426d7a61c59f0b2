import { useReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import type { Problem } from '../../api/types/types.ts';
import { type Action, useActions } from '../../actions/registry.ts';
import { editorFit } from '../../canvas/CanvasFrame.tsx';
import { writeNote } from '../../canvas/cards/noteEditing.ts';
import { incoming, START } from '../../graph/document/document.ts';
import { requestFocus } from '../../inspector/focus.ts';
import { stopAction } from '../runs/control/stopRun.ts';
import { selectedEdgeIds, selectedIds, useEditor } from '../../store/editor.ts';
import { saveNow } from '../../store/saving.ts';
import {
  addNote, alignSelection, chosenFrame, deleteSelection, distributeSelection, frameSelection, nudge, selectAlong, selectInside, tidyUp, toggleDisabled, walk,
} from './arrange.ts';
import { copyClipboard, duplicate, pasteClipboard } from './transfer/clipboard.ts';
import { worstFirst } from './proof/useProof.ts';

/** What the actions need of the page. */
export interface EditorPageApi {
  openQuickPalette: () => void;
  openMenu: () => void;
  insert: (edge: string) => void;
  centre: () => { x: number; y: number };
  focusInspector: () => void;
  rename: () => void;
  setTool: (tool: 'select' | 'pan') => void;
  testRun: () => void;
  stop: () => void;
  publish: () => void;
  find: () => void;
  settings: () => void;
  versions: () => void;
  runFrom: () => void;
  runTo: () => void;
  replace: () => void;
  extract: () => void;
  togglePalette: () => void;
  problems: () => void;
  jump: (problem: Problem) => void;
}

const editable = () => useEditor.getState().can.edit;
const chosen = () => editable() && selectedIds().length > 0;
const several = () => editable() && selectedIds().length > 1;
const anything = () => editable() && selectedIds().length + selectedEdgeIds().length > 0;
const oneNode = () => selectedIds().length === 1 && useEditor.getState().records.nodes.has(selectedIds()[0] ?? '');
const oneEdge = () => {
  const { records, can } = useEditor.getState();
  const [id = '', ...more] = selectedEdgeIds();
  return can.edit && more.length + selectedIds().length === 0 ? records.edges.get(id) : undefined;
};
const anyNode = () => selectedIds().some((id) => useEditor.getState().records.nodes.has(id));
/** Whether one node is selected to which an edge leads: others run only within another node. */
function isLedTo(): boolean {
  const [id = ''] = selectedIds();
  return oneNode() && incoming(useEditor.getState().records, id).length > 0;
}
const STEP = 8;

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

function editing(page: EditorPageApi): Action[] {
  const group = 'Edit';
  return [
    { id: 'editor.undo', label: 'Undo', group, keys: ['Mod+Z'], enabled: editable, run: () => useEditor.getState().undo() },
    { id: 'editor.redo', label: 'Redo', group, keys: ['Mod+Shift+Z', 'Mod+Y'], enabled: editable, run: () => useEditor.getState().redo() },
    { id: 'editor.copy', label: 'Copy', group, keys: ['Mod+C'], native: true, enabled: () => selectedIds().length > 0, run: () => void copyClipboard(false) },
    { id: 'editor.cut', label: 'Cut', group, keys: ['Mod+X'], native: true, enabled: chosen, run: () => void copyClipboard(true) },
    { id: 'editor.paste', label: 'Paste', group, keys: ['Mod+V'], native: true, enabled: editable, run: () => void pasteClipboard(page.centre(), false) },
    { id: 'editor.paste-wires', label: 'Paste with incoming wires', group, keys: ['Mod+Shift+V'], native: true, enabled: editable, run: () => void pasteClipboard(page.centre(), true) },
    { id: 'editor.duplicate', label: 'Duplicate', group, keys: ['Mod+D'], enabled: chosen, run: duplicate },
    { id: 'editor.delete', label: 'Delete', group, keys: ['Delete', 'Backspace'], enabled: anything, run: () => deleteSelection(false) },
    { id: 'editor.heal', label: 'Delete and heal', group, keys: ['Mod+Backspace'], enabled: chosen, run: () => deleteSelection(true) },
    { id: 'editor.extract', label: 'Extract to a subgraph', group, keys: ['Mod+Shift+G'], also: 'move into workflow', enabled: chosen, run: page.extract },
    { id: 'editor.disable', label: 'Disable or enable', group, keys: ['D'], enabled: () => editable() && anyNode(), run: toggleDisabled },
    { id: 'editor.rename', label: 'Rename', group, keys: ['F2'], enabled: () => editable() && selectedIds().length === 1, run: () => rename(page) },
    { id: 'editor.condition', label: 'Edit condition', group, also: 'wire edge guard', enabled: () => Boolean(oneEdge() && oneEdge()?.source !== START), run: editCondition },
    { id: 'editor.inspect', label: 'Open the inspector', group, keys: ['Enter'], enabled: () => selectedIds().length + selectedEdgeIds().length > 0, run: page.focusInspector },
    { id: 'editor.save', label: 'Save now', group, keys: ['Mod+S'], whileTyping: true, run: () => void saveNow() },
  ];
}

function adding(page: EditorPageApi): Action[] {
  const group = 'Add and arrange';
  return [
    { id: 'editor.palette', label: 'Add a node', group, keys: ['Tab'], enabled: editable, run: page.openQuickPalette },
    { id: 'editor.insert', label: 'Insert a node here', group, also: 'wire edge splice', enabled: () => Boolean(oneEdge()), run: () => page.insert(oneEdge()?.id ?? '') },
    { id: 'editor.note', label: 'Add a note', group, keys: ['N'], enabled: editable, run: () => addNote(page.centre()) },
    { id: 'editor.frame', label: 'Frame selection', group, keys: ['Mod+G'], enabled: chosen, run: frameSelection },
    { id: 'editor.tidy', label: 'Tidy up', group, keys: ['Shift+L'], also: 'layout', enabled: editable, run: () => void tidyUp() },
    { id: 'editor.left', label: 'Align left', group, keys: ['Alt+A'], enabled: several, run: () => alignSelection('left') },
    { id: 'editor.right', label: 'Align right', group, keys: ['Alt+D'], enabled: several, run: () => alignSelection('right') },
    { id: 'editor.top', label: 'Align top', group, keys: ['Alt+W'], enabled: several, run: () => alignSelection('top') },
    { id: 'editor.bottom', label: 'Align bottom', group, keys: ['Alt+S'], enabled: several, run: () => alignSelection('bottom') },
    { id: 'editor.spread-x', label: 'Distribute horizontally', group, keys: ['Alt+H'], enabled: several, run: () => distributeSelection('x') },
    { id: 'editor.spread-y', label: 'Distribute vertically', group, keys: ['Alt+V'], enabled: several, run: () => distributeSelection('y') },
    ...(['Left', 'Right', 'Up', 'Down'] as const).flatMap((side): Action[] => {
      const x = side === 'Left' ? -1 : side === 'Right' ? 1 : 0;
      const y = side === 'Up' ? -1 : side === 'Down' ? 1 : 0;
      return [
        { id: `editor.nudge-${side}`, label: `Move ${side.toLowerCase()}`, group, keys: [`Alt+Arrow${side}`], quiet: true, enabled: chosen, run: () => nudge(x * STEP, y * STEP) },
        { id: `editor.push-${side}`, label: `Move far ${side.toLowerCase()}`, group, keys: [`Alt+Shift+Arrow${side}`], quiet: true, enabled: chosen, run: () => nudge(x * STEP * 10, y * STEP * 10) },
      ];
    }),
  ];
}

function seeing(page: EditorPageApi, flow: ReturnType<typeof useReactFlow>): Action[] {
  const group = 'Canvas';
  const duration = 150;
  const selection = () => useEditor.getState().nodes.filter((node) => node.selected).map(({ id }) => ({ id }));
  return [
    { id: 'editor.select', label: 'Select tool', group, keys: ['V'], run: () => page.setTool('select') },
    { id: 'editor.pan', label: 'Pan tool', group, keys: ['H'], run: () => page.setTool('pan') },
    { id: 'editor.fit', label: 'Fit everything', group, keys: ['Shift+1'], run: () => void flow.fitView({ ...editorFit, duration }) },
    { id: 'editor.fit-selection', label: 'Fit the selection', group, keys: ['Shift+2'], run: () => void flow.fitView({ duration, includeHiddenNodes: true, padding: 0.3, maxZoom: 1.2, nodes: selection() }) },
    { id: 'editor.zoom-100', label: 'Zoom to 100 %', group, keys: ['Shift+0'], run: () => void flow.zoomTo(1, { duration }) },
    { id: 'editor.all', label: 'Select all', group, keys: ['Mod+A'], run: () => useEditor.getState().select(useEditor.getState().nodes.filter((node) => node.type !== 'pill').map((node) => node.id)) },
    { id: 'editor.downstream', label: 'Select what follows', group, keys: ['Shift+ArrowRight'], also: 'downstream', enabled: anyNode, run: () => selectAlong('downstream') },
    { id: 'editor.upstream', label: 'Select what leads here', group, keys: ['Shift+ArrowLeft'], also: 'upstream', enabled: anyNode, run: () => selectAlong('upstream') },
    { id: 'editor.inside', label: 'Select what it frames', group, enabled: () => chosenFrame() !== undefined, run: selectInside },
    { id: 'editor.menu', label: 'Open the menu', group, keys: ['ContextMenu', 'Shift+F10'], quiet: true, run: page.openMenu },
    { id: 'editor.none', label: 'Select nothing', group, keys: ['Escape'], quiet: true, run: () => useEditor.getState().select([]) },
    { id: 'editor.find', label: 'Find a node', group, keys: ['Mod+F'], run: page.find },
    { id: 'editor.replace', label: 'Find and replace', group, keys: ['Mod+Shift+F'], also: 'prompt text', enabled: editable, run: page.replace },
    { id: 'editor.panel', label: 'Collapse or expand the palette', group, run: page.togglePalette },
    ...(['left', 'right', 'up', 'down'] as const).map((side): Action => ({
      id: `editor.walk-${side}`, label: `Go ${side}`, group, keys: [`Arrow${side.charAt(0).toUpperCase()}${side.slice(1)}`], quiet: true, run: () => walk(side),
    })),
  ];
}

let visited = -1;

function nextProblem(page: EditorPageApi): void {
  const problems = worstFirst(useEditor.getState().problems);
  visited = (visited + 1) % problems.length;
  const problem = problems[visited];
  if (problem) page.jump(problem);
}

/** Offer everything that can be done in the editor. */
export function useEditorActions(page: EditorPageApi): void {
  const flow = useReactFlow();
  const actions = useMemo<Action[]>(() => {
    const group = 'Workflow';
    return [
      { id: 'editor.run', label: 'Test run', group, keys: ['Mod+Enter'], whileTyping: true, enabled: () => useEditor.getState().can.run, run: page.testRun },
      stopAction({ id: 'editor.stop', label: 'Stop the test run', group, enabled: () => useEditor.getState().can.run, run: page.stop }),
      { id: 'editor.run-to', label: 'Run to here', group, keys: ['Shift+Enter'], also: 'stop after until', enabled: () => useEditor.getState().can.run && isLedTo(), run: page.runTo },
      { id: 'editor.run-from', label: 'Run from here', group, keys: ['Mod+Shift+Enter'], also: 'fork plan reuse', enabled: () => useEditor.getState().can.run && oneNode(), run: page.runFrom },
      { id: 'editor.publish', label: 'Publish', group, enabled: editable, run: page.publish },
      { id: 'editor.versions', label: 'Versions', group, run: page.versions },
      { id: 'editor.settings', label: 'Graph settings', group, also: 'goal limits budget agents', run: page.settings },
      { id: 'editor.problems', label: 'Problems and path proof', group, also: 'danger approval check', run: page.problems },
      { id: 'editor.next-problem', label: 'Go to the next problem', group, keys: ['F8'], whileTyping: true, enabled: () => useEditor.getState().problems.length > 0, run: () => nextProblem(page) },
      ...editing(page), ...adding(page), ...seeing(page, flow),
    ];
  }, [page, flow]);
  useActions(actions);
}

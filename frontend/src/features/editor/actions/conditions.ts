import { incoming, START } from '../../../graph/document/document.ts';
import { partOf } from '../../../graph/editing/extract.ts';
import { selectedEdgeIds, selectedIds, useEditor } from '../../../store/editor.ts';

/** Whether this person may change the graph. */
export const editable = () => useEditor.getState().can.edit;

/** Whether something is selected that may be changed. */
export const chosen = () => editable() && selectedIds().length > 0;

/** Whether there is more than one thing to line up. */
export const several = () => editable() && selectedIds().length > 1;

/** Whether a node, note, frame or wire is selected that may be changed. */
export const anything = () => editable() && selectedIds().length + selectedEdgeIds().length > 0;

/** Whether anything is selected, the start too. */
export const someSelected = () => {
  const { nodes, edges } = useEditor.getState();
  return [...nodes, ...edges].some((each) => each.selected);
};

/** Whether exactly one thing is selected, and it is a node. */
export const oneNode = () =>
  selectedIds().length === 1 && useEditor.getState().records.nodes.has(selectedIds()[0] ?? '');

/** Whether the start alone is selected. */
export function chosenStart(): boolean {
  const [only, ...more] = useEditor.getState().nodes.filter((node) => node.selected);
  return only?.id === START && more.length === 0;
}

/** Whether what is selected names the fields that go on from it: the start, or a node that writes some. */
export function givesFields(): boolean {
  const { records, types } = useEditor.getState();
  const type = records.nodes.get(selectedIds()[0] ?? '')?.type ?? '';
  return editable() && (chosenStart() || (oneNode() && types.get(type)?.writes_data === true));
}

/** The wire that alone is selected and may be changed. */
export const oneEdge = () => {
  const { records, can } = useEditor.getState();
  const [id = '', ...more] = selectedEdgeIds();
  return can.edit && more.length + selectedIds().length === 0 ? records.edges.get(id) : undefined;
};

/** Whether a node is among what is selected. */
export const anyNode = () => selectedIds().some((id) => useEditor.getState().records.nodes.has(id));

/** Whether one node is selected to which an edge leads: others run only within another node. */
export function isLedTo(): boolean {
  const [id = ''] = selectedIds();
  return oneNode() && incoming(useEditor.getState().records, id).length > 0;
}

/** Why what is selected cannot become a workflow of its own; null where it can. */
export function notExtracted(): string | null {
  const { records, types } = useEditor.getState();
  const part = partOf(records, new Set(selectedIds()), types);
  return typeof part === 'string' ? part : null;
}

/** Whether no dialog lies over the page: what is pressed there is meant for it. */
export const noDialog = () => document.querySelector('[aria-modal="true"]') === null;

import type { Action } from '../../../../actions/registry.ts';
import type { NodeDoc } from '../../../../api/types/types.ts';
import { outgoing } from '../../../../graph/document/document.ts';
import { takeAll } from '../../../../graph/editing/alike.ts';
import { branchFields } from '../../../../graph/schema/branches.ts';
import { chooses } from '../../../../graph/schema/ports.ts';
import { selectedIds, useEditor } from '../../../../store/editor.ts';
import { announce } from '../../../../ui/announce.ts';
import { editable, oneNode } from '../conditions.ts';

/** The node that alone is selected and may be changed. */
function chosenNode(): NodeDoc | undefined {
  const [id = ''] = selectedIds();
  return editable() && oneNode() ? useEditor.getState().records.nodes.get(id) : undefined;
}

/** The fields by which the selected node can branch. */
function fields() {
  const node = chosenNode();
  return node ? branchFields(useEditor.getState().records.settings, node) : [];
}

/** Offer a port for each value of the next field that the node can branch by; after the last field none. */
function branchByNext(): void {
  const [id = ''] = selectedIds();
  const { branchBy, offerBranches } = useEditor.getState();
  const offered = fields();
  const next = offered[offered.findIndex(({ field }) => field === branchBy.get(id)) + 1];
  offerBranches(id, next?.field ?? null);
  announce(next ? `A way on for each value of ${next.label}` : 'No ways on by value');
}

function mayTakeAll(): boolean {
  const node = chosenNode();
  const out = node ? outgoing(useEditor.getState().records, node.id) : [];
  return node?.branching === 'all' || chooses(out);
}

function toggleAll(): void {
  const [id = ''] = selectedIds();
  const all = chosenNode()?.branching !== 'all';
  useEditor.getState().gesture('Change what is taken', (records) => takeAll(records, id, all));
  announce(all ? 'Takes all wires that fit' : 'Takes the first wire that fits');
}

/** What says without a pointer how a node goes on. */
export function branching(): Action[] {
  const group = 'Wires';
  return [
    {
      id: 'editor.branch',
      label: 'Branch by a field',
      group,
      keys: ['Shift+B'],
      also: 'condition switch values ports',
      enabled: () => fields().length > 0,
      run: branchByNext,
    },
    {
      id: 'editor.take-all',
      label: 'Take all wires that fit, or the first',
      group,
      keys: ['Shift+A'],
      also: 'both parallel branching',
      enabled: mayTakeAll,
      run: toggleAll,
    },
  ];
}

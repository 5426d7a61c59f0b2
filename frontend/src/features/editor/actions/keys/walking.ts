import { incoming, outgoing, START } from '../../../../graph/document/document.ts';
import { inOrder, wiresOf } from '../../../../graph/wiring/ways.ts';
import { selectedEdgeIds, selectedIds, useEditor } from '../../../../store/editor.ts';
import type { FlowNode } from '../../../../store/flow.ts';

type Side = 'left' | 'right' | 'up' | 'down';

const walked = (node: FlowNode) => node.type === 'card' || node.id === START;

/** The node whose wires are walked through: it stays the same while its wires are chosen one after another. */
let owner = '';

/** The neighbour in a direction: along the wires to the sides, by place up and down. */
function neighbour(direction: Side): string | undefined {
  const { records, nodes } = useEditor.getState();
  const cards = nodes.filter(walked);
  const current = cards.find((node) => node.selected);
  if (!current) return (cards.find((node) => node.id !== START) ?? cards[0])?.id;
  if (direction === 'right' || direction === 'left') {
    const next =
      direction === 'right'
        ? inOrder(outgoing(records, current.id)).map((edge) => edge.target)
        : incoming(records, current.id).map((edge) => edge.source);
    return next.find((end) => cards.some((node) => node.id === end));
  }
  const sign = direction === 'down' ? 1 : -1;
  const beside = cards.filter(
    (node) => node.type === 'card' && (node.position.y - current.position.y) * sign > 0,
  );
  const far = (node: FlowNode) =>
    Math.abs(node.position.y - current.position.y) +
    2 * Math.abs(node.position.x - current.position.x);
  return beside.toSorted((a, b) => far(a) - far(b))[0]?.id;
}

/** Select the neighbour of what is selected; from a wire its ends lie to the sides. */
export function walk(direction: Side): void {
  const { records, select } = useEditor.getState();
  const edge = records.edges.get(selectedEdgeIds()[0] ?? '');
  if (edge && selectedIds().length === 0) {
    const end = direction === 'right' ? edge.target : edge.source;
    return select([direction === 'left' || direction === 'right' ? end : owner || end]);
  }
  const id = neighbour(direction);
  if (id) select([id]);
}

/** Select one more card in a direction. */
export function extend(direction: Side): void {
  const { nodes, select } = useEditor.getState();
  const chosen = nodes.filter((node) => node.selected && node.type !== 'pill');
  const from = chosen.at(-1);
  if (!from) return walk(direction);
  select([from.id]);
  const next = neighbour(direction);
  select([...chosen.map(({ id }) => id), ...(next && next !== START ? [next] : [])]);
}

/** The node whose wires can be chosen now; empty where nothing single is selected. */
function ownerNow(): string {
  const { records, nodes } = useEditor.getState();
  const edge = records.edges.get(selectedEdgeIds()[0] ?? '');
  if (edge) return edge.source === owner || edge.target === owner ? owner : edge.source;
  const chosen = nodes.filter((node) => node.selected);
  return chosen.length === 1 ? (chosen[0]?.id ?? '') : '';
}

/** Whether there is a wire to choose. */
export const hasWires = (): boolean => wiresOf(useEditor.getState().records, ownerNow()).length > 0;

/** Select the next (1) or the one before (-1) of the wires of the selected node. */
export function chooseWire(by: 1 | -1): void {
  const { records, select } = useEditor.getState();
  owner = ownerNow();
  const ids = wiresOf(records, owner).map(({ id }) => id);
  const at = ids.indexOf(selectedEdgeIds()[0] ?? '');
  const next = ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length];
  if (next) select([next]);
}

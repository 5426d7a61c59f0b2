import { withRecords } from '../document/diff.ts';
import { type DraftEdge, END, outgoing, type Records, START } from '../document/document.ts';
import { canConnect, portOf } from '../schema/ports.ts';
import { inOrder } from './ways.ts';

/** Whether a wire may end at this node instead. */
export function canReroute(records: Records, edgeId: string, target: string): boolean {
  const edge = records.edges.get(edgeId);
  if (!edge || edge.target === target || target === START) return false;
  if (typeof edge.condition !== 'string' && edge.trigger !== 'agent')
    return canConnect(records, edge.source, portOf(edge), target);
  return target === END || records.nodes.has(target);
}

/** A wire that ends elsewhere and says the same as before; unchanged where that makes no sense. */
export function reroute(records: Records, edgeId: string, target: string): Records {
  const edge = records.edges.get(edgeId);
  if (!edge || !canReroute(records, edgeId, target)) return records;
  return withRecords(records, [{ kind: 'edge', id: edgeId, value: { ...edge, target } }]);
}

const group = (edge: DraftEdge) => edge.on ?? 'completed';

/** The wires among which one is tried, as a run tries them, itself included. */
export function rivals(records: Records, edgeId: string): string[] {
  const edge = records.edges.get(edgeId);
  if (!edge || edge.source === START) return [];
  const same = outgoing(records, edge.source).filter((other) => group(other) === group(edge));
  return inOrder(same).map(({ id }) => id);
}

/** A wire tried one place sooner (-1) or later (1) than now. Priorities are written only where the order in the document does not say it. */
export function moveInOrder(records: Records, edgeId: string, by: -1 | 1): Records {
  const order = rivals(records, edgeId);
  const at = order.indexOf(edgeId);
  const other = order[at + by];
  if (at < 0 || other === undefined) return records;
  const next = order.with(at, other).with(at + by, edgeId);
  const declared = [...records.edges.keys()].filter((id) => next.includes(id));
  const silent = declared.every((id, place) => id === next[place]);
  const set = next.flatMap((id, place) => {
    const edge = records.edges.get(id);
    if (!edge) return [];
    const value: DraftEdge = { ...edge, priority: place };
    if (silent || place === 0) Reflect.deleteProperty(value, 'priority');
    return [{ kind: 'edge' as const, id, value }];
  });
  return withRecords(records, set);
}

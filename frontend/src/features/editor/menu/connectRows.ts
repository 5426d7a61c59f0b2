import { END, type Records, START } from '../../../graph/document/document.ts';
import { canConnect, MAIN, type Port } from '../../../graph/schema/ports.ts';
import { canReroute } from '../../../graph/wiring/rewire.ts';
import { wayOn } from '../../../graph/wiring/ways.ts';
import type { FlowNode } from '../../../store/flow.ts';

/** One wire that could be drawn. */
export interface ConnectRow {
  port: string;
  target: string;
  label: string;
}

const plain: readonly Port[] = [{ id: MAIN, label: 'Start', kind: 'completed' }];

/** Cards and the end, those to the right of a card first, near ones before far ones. */
function nearest(nodes: readonly FlowNode[], from: string): FlowNode[] {
  const { x = 0, y = 0 } = nodes.find((node) => node.id === from)?.position ?? {};
  const far = (node: FlowNode) => {
    const dx = node.position.x - x;
    return Math.abs(dx) + Math.abs(node.position.y - y) + (dx <= 0 ? 100_000 : 0);
  };
  const last = (node: FlowNode) => (node.id === from ? 2 : node.id === END ? 1 : 0);
  return nodes
    .filter((node) => node.type === 'card' || node.id === END)
    .toSorted((a, b) => last(a) - last(b) || far(a) - far(b));
}

const nameOf = (node: FlowNode) => (node.type === 'card' ? node.data.doc.label || node.id : 'End');

/** Where wires of a node could lead, by the port that is free first. A port is named where there are several. */
export function connectRows(
  records: Records,
  nodes: readonly FlowNode[],
  from: string,
): ConnectRow[] {
  const source = nodes.find((node) => node.id === from);
  const ports = source?.type === 'card' ? source.data.ports : from === START ? plain : [];
  const first = wayOn(records, from, ports).port;
  const ordered = ports.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
  const ends = nearest(nodes, from);
  return ordered.flatMap((port) =>
    ends
      .filter((end) => canConnect(records, from, port.id, end.id))
      .map((end) => ({
        port: port.id,
        target: end.id,
        label: ordered.length > 1 ? `${port.label} → ${nameOf(end)}` : nameOf(end),
      })),
  );
}

/** Where a wire could end instead. */
export function rerouteRows(
  records: Records,
  nodes: readonly FlowNode[],
  edgeId: string,
): ConnectRow[] {
  const edge = records.edges.get(edgeId);
  return nearest(nodes, edge?.source ?? '')
    .filter((end) => canReroute(records, edgeId, end.id))
    .map((end) => ({ port: '', target: end.id, label: nameOf(end) }));
}

/** The rows that have every word of a search, in any order. */
export function searchRows(rows: readonly ConnectRow[], search: string): ConnectRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

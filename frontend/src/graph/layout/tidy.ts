import { Graph, layout as dagre } from '@dagrejs/dagre';
import type { Position } from '../../api/types/types.ts';
import type { Records } from '../document/document.ts';
import { type SizeOf, snap, standard } from './layout.ts';

/**
 * Positions that put nodes in columns from left to right along their edges, on the grid. Only `ids` move
 * (all nodes when absent); a moved group keeps the place of its upper left corner.
 */
export function tidy(
  records: Records,
  ids?: ReadonlySet<string>,
  sizeOf: SizeOf = standard,
): Map<string, Position> {
  const chosen = [...records.nodes.values()].filter((node) => !ids || ids.has(node.id));
  if (chosen.length === 0) return new Map();
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 40, ranksep: 88, ranker: 'network-simplex' });
  graph.setDefaultEdgeLabel(() => ({}));
  const inside = new Set(chosen.map((node) => node.id));
  for (const { id } of chosen) graph.setNode(id, { ...sizeOf(id) });
  for (const edge of records.edges.values()) {
    if (inside.has(edge.source) && inside.has(edge.target) && edge.source !== edge.target)
      graph.setEdge(edge.source, edge.target, {}, edge.id);
  }
  dagre(graph);
  const placed = new Map<string, Position>();
  for (const { id } of chosen) {
    const node = graph.node(id) as unknown as { x: number; y: number };
    const size = sizeOf(id);
    placed.set(id, { x: node.x - size.width / 2, y: node.y - size.height / 2 });
  }
  const before = corner(chosen.map((node) => node.position ?? { x: 0, y: 0 }));
  const after = corner([...placed.values()]);
  const shift = ids
    ? { x: before.x - after.x, y: before.y - after.y }
    : { x: -after.x, y: -after.y };
  for (const [id, { x, y }] of placed)
    placed.set(id, { x: snap(x + shift.x), y: snap(y + shift.y) });
  return placed;
}

function corner(positions: readonly Position[]): Position {
  return {
    x: Math.min(...positions.map((place) => place.x)),
    y: Math.min(...positions.map((place) => place.y)),
  };
}

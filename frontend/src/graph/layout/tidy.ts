import { Graph, layout as dagre } from '@dagrejs/dagre';
import type { NodeDoc, Position } from '../../api/types/types.ts';
import { type DraftEdge, END, type Records } from '../document/document.ts';
import { PILL, type SizeOf, snap, standard } from './layout.ts';

const GAPS = { rankdir: 'LR', nodesep: 40, ranksep: 88, ranker: 'network-simplex' };

/** Which port of its card a wire leaves from, counted from above. */
export type RowOf = (edge: DraftEdge) => number;

/**
 * Positions that put nodes in columns from left to right along their edges, on the grid, with a free row
 * for each edge that passes columns by. Only `ids` move (all nodes when absent); a moved group keeps the
 * place of its upper left corner.
 */
export function tidy(
  records: Records,
  ids?: ReadonlySet<string>,
  sizeOf: SizeOf = standard,
  rowOf: RowOf = () => 0,
): Map<string, Position> {
  const chosen = [...records.nodes.values()].filter((node) => !ids || ids.has(node.id));
  if (chosen.length === 0) return new Map();
  const edges = [...records.edges.values()].toSorted((a, b) => rowOf(b) - rowOf(a));
  const first = placed(edges, chosen, sizeOf, null);
  const last = ids ? null : lastOf(first);
  const places = last ? placed(edges, chosen, sizeOf, last) : first;
  const before = corner(chosen.map((node) => node.position ?? { x: 0, y: 0 }));
  const after = corner([...places.values()]);
  const shift = ids
    ? { x: before.x - after.x, y: before.y - after.y }
    : { x: -after.x, y: -after.y };
  for (const [id, { x, y }] of places)
    places.set(id, { x: snap(x + shift.x), y: snap(y + shift.y) });
  return places;
}

/** The corners of nodes in their columns. Where the `last` node is known the end stands behind it, as it is drawn, with rows of their own for the wires to it. */
function placed(
  edges: readonly DraftEdge[],
  chosen: readonly NodeDoc[],
  sizeOf: SizeOf,
  last: string | null,
): Map<string, Position> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ ...GAPS });
  graph.setDefaultEdgeLabel(() => ({}));
  const inside = new Set(chosen.map((node) => node.id));
  for (const id of inside) graph.setNode(id, { ...sizeOf(id) });
  if (last !== null) {
    graph.setNode(END, { ...PILL });
    inside.add(END);
    graph.setEdge(last, END, { weight: 0 }, 'behind all');
  }
  // of arrangements that cross as little dagre takes the one that lays what came last highest
  for (const { id, source, target } of edges)
    if (inside.has(source) && inside.has(target) && source !== target)
      graph.setEdge(source, target, {}, id);
  dagre(graph);
  return new Map(
    chosen.map(({ id }) => {
      const node = graph.node(id) as unknown as { x: number; y: number };
      const { width, height } = sizeOf(id);
      return [id, { x: node.x - width / 2, y: node.y - height / 2 }];
    }),
  );
}

/** The node that stands farthest to the right. */
function lastOf(places: ReadonlyMap<string, Position>): string | null {
  const [last] = [...places].sort(([, a], [, b]) => b.x - a.x);
  return last?.[0] ?? null;
}

function corner(positions: readonly Position[]): Position {
  return {
    x: Math.min(...positions.map((place) => place.x)),
    y: Math.min(...positions.map((place) => place.y)),
  };
}

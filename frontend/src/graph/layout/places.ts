import type { Position } from '../../api/types/types.ts';
import { type Records, START } from '../document/document.ts';
import { NODE_WIDTH, type SizeOf, standard } from './layout.ts';

const COLUMN = NODE_WIDTH + 88;
const ROW = 200;
const GAP = 48;

/**
 * Where the nodes are drawn that the document gives no position: in columns along the edges, left to right,
 * none on another. Empty when each node has its own. The document stays as it is.
 */
export function placesOf(
  records: Records,
  sizeOf: SizeOf = standard,
): ReadonlyMap<string, Position> {
  const bare = [...records.nodes.values()].filter((node) => !node.position);
  if (bare.length === 0) return new Map();
  const columns = columnsOf(records);
  const rows = new Map<number, number>();
  const places = new Map<string, Position>();
  for (const { id, position } of records.nodes.values()) {
    const column = columns.get(id) ?? 0;
    const y = rows.get(column) ?? 0;
    rows.set(column, y + Math.max(ROW, sizeOf(id).height + GAP));
    if (!position) places.set(id, { x: column * COLUMN, y });
  }
  return places;
}

/** How many edges lie at least between the start and each node that is reached from it, less one. */
function columnsOf(records: Records): ReadonlyMap<string, number> {
  const after = new Map<string, string[]>();
  for (const { source, target } of records.edges.values())
    after.set(source, [...(after.get(source) ?? []), target]);
  const columns = new Map([[START, -1]]);
  const waiting: string[] = [START];
  for (const source of waiting) {
    for (const target of after.get(source) ?? []) {
      if (columns.has(target)) continue;
      columns.set(target, (columns.get(source) ?? 0) + 1);
      waiting.push(target);
    }
  }
  return columns;
}

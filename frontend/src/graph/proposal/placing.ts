import type { Position } from '../../api/types/documentTypes.ts';
import { incoming, outgoing, type Records } from '../document/document.ts';
import { place } from '../editing/operations.ts';
import { freeRoom } from '../layout/freeRoom.ts';
import { NODE_WIDTH, type SizeOf } from '../layout/layout.ts';
import { roomsOf } from '../layout/rooms.ts';
import { makeRoom } from '../layout/makeRoom.ts';
import { tidy } from '../layout/tidy.ts';

const COLUMN = NODE_WIDTH + 88;

type Types = Parameters<typeof roomsOf>[1];

/** `records` with a place for each node that has none; those of `before` move only to make room. */
export function placedAmong(records: Records, before: Records, types?: Types): Records {
  const bare = [...records.nodes.values()].filter((node) => !node.position);
  if (bare.length === 0) return records;
  const sizeOf = roomsOf(records, types);
  if (before.nodes.size === 0) return place(records, tidy(records, undefined, sizeOf));
  let made = records;
  let waiting = bare.map((node) => node.id);
  while (waiting.length > 0) {
    const id = waiting.find((each) => neighbour(made, each)) ?? waiting[0] ?? '';
    made = placed(made, id, sizeOf);
    waiting = waiting.filter((each) => each !== id);
  }
  return made;
}

type Neighbour = { at: Position; side: 'before' | 'after'; id: string };

/** A node beside this one that has a place: the one before it, else the one after. */
function neighbour(records: Records, id: string): Neighbour | null {
  const ways = [
    ...incoming(records, id).map((edge) => ({ id: edge.source, side: 'before' as const })),
    ...outgoing(records, id).map((edge) => ({ id: edge.target, side: 'after' as const })),
  ];
  for (const way of ways) {
    const at = records.nodes.get(way.id)?.position;
    if (at) return { ...way, at };
  }
  return null;
}

function placed(records: Records, id: string, sizeOf: SizeOf): Records {
  const beside = neighbour(records, id);
  const shift = beside?.side === 'after' ? -COLUMN : COLUMN;
  const wish = beside ? { x: beside.at.x + shift, y: beside.at.y } : { x: 0, y: 0 };
  const after = outgoing(records, id).find((edge) => records.nodes.get(edge.target)?.position);
  const there = place(records, new Map([[id, wish]]));
  const roomy =
    beside?.side === 'before' && after ? makeRoom(there, beside.id, id, after.target) : there;
  const stands = roomy.nodes.get(id)?.position ?? wish;
  const others = [...roomy.nodes.values()].flatMap((node) =>
    node.id !== id && node.position ? [{ ...node.position, ...sizeOf(node.id) }] : [],
  );
  return place(roomy, new Map([[id, freeRoom(others, stands, sizeOf(id))]]));
}

import type { Position } from '../../../api/types/types.ts';

/** How far a wire runs straight out of a card, and into one. */
export const STUB = 24;
const ROOM = 96;
const RADIUS = 12;

/** Where a wire turns: at `out` it goes up or down to `y`, at `into` to the height of its end. */
export interface Lane {
  out: number;
  y: number;
  into: number;
}

/** How a wire runs that nothing stands in the way of: half way across, or back below both ends. */
export function plainLane(from: Position, to: Position): Lane {
  const middle = (from.y + to.y) / 2;
  if (to.x - STUB > from.x + STUB) {
    const half = (from.x + to.x) / 2;
    return { out: half, y: middle, into: half };
  }
  const beside = Math.abs(to.y - from.y) < ROOM;
  return {
    out: from.x + STUB,
    y: beside ? Math.max(from.y, to.y) + ROOM * 0.75 : middle,
    into: to.x - STUB,
  };
}

/** The points of a wire from end to end, its turns between them. */
export const pointsOf = (from: Position, to: Position, { out, y, into }: Lane): Position[] => [
  from,
  { x: out, y: from.y },
  { x: out, y },
  { x: into, y },
  { x: into, y: to.y },
  to,
];

const isTurn = (a: Position, b: Position, c: Position) =>
  !((a.x === b.x && b.x === c.x) || (a.y === b.y && b.y === c.y));

const apart = (a: Position, b: Position) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);

function towards(a: Position, b: Position, by: number): string {
  const part = by / (apart(a, b) || 1);
  return `${a.x + (b.x - a.x) * part},${a.y + (b.y - a.y) * part}`;
}

/** The path of a wire in an SVG, with round corners. */
export function pathOf(points: readonly Position[]): string {
  const kept: Position[] = [];
  for (const point of points) {
    const [a, b] = [kept.at(-2), kept.at(-1)];
    if (b && apart(b, point) === 0) continue;
    if (a && b && !isTurn(a, b, point)) kept.pop();
    kept.push(point);
  }
  return kept
    .map((point, index) => {
      const [before, after] = [kept[index - 1], kept[index + 1]];
      if (!before) return `M${point.x} ${point.y}`;
      if (!after) return `L${point.x} ${point.y}`;
      const bend = Math.min(apart(before, point) / 2, apart(point, after) / 2, RADIUS);
      return `L${towards(point, before, bend)}Q${point.x},${point.y} ${towards(point, after, bend)}`;
    })
    .join('');
}

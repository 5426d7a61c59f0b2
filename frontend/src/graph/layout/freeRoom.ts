import type { Position } from '../../api/types/types.ts';
import { type Size, snap } from './layout.ts';

const GAP = 24;

type Place = Position & Size;

const meet = (a: Place, b: Place) =>
  a.x < b.x + b.width + GAP &&
  b.x < a.x + a.width + GAP &&
  a.y < b.y + b.height + GAP &&
  b.y < a.y + a.height + GAP;

/** The place nearest below a wish where a thing of this size lies on no other, in steps of the grid. */
export function freeRoom(taken: readonly Place[], wish: Position, size: Size): Position {
  let place = { ...size, x: snap(wish.x), y: snap(wish.y) };
  const below = taken.toSorted((a, b) => a.y - b.y);
  for (let tries = 0; tries <= taken.length; tries += 1) {
    const blocking = below.find((other) => meet(place, other));
    if (!blocking) break;
    place = { ...place, y: snap(blocking.y + blocking.height + GAP + 4) };
  }
  return { x: place.x, y: place.y };
}

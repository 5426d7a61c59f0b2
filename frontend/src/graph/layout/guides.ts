import type { Position } from '../../api/types/types.ts';
import type { Box } from './geometry.ts';

/** A line that shows with what a moved box is aligned, in the coordinates of the graph. */
export interface Guide {
  axis: 'x' | 'y';
  at: number;
  from: number;
  to: number;
}

const across = { x: 'width', y: 'height' } as const;
const other = { x: 'y', y: 'x' } as const;
const lines = (box: Box, axis: 'x' | 'y') => [
  box[axis],
  box[axis] + box[across[axis]] / 2,
  box[axis] + box[across[axis]],
];

function nearest(
  moved: Box,
  rest: readonly Box[],
  axis: 'x' | 'y',
  reach: number,
): { shift: number; guide: Guide } | null {
  let best: { shift: number; at: number; box: Box } | null = null;
  for (const box of rest) {
    const mine = lines(moved, axis);
    lines(box, axis).forEach((at, index) => {
      const shift = at - (mine[index] ?? at);
      if (Math.abs(shift) <= reach && (!best || Math.abs(shift) < Math.abs(best.shift)))
        best = { shift, at, box };
    });
  }
  const found = best as { shift: number; at: number; box: Box } | null;
  if (!found) return null;
  const cross = other[axis];
  const ends = [
    moved[cross],
    moved[cross] + moved[across[cross]],
    found.box[cross],
    found.box[cross] + found.box[across[cross]],
  ];
  return {
    shift: found.shift,
    guide: { axis, at: found.at, from: Math.min(...ends), to: Math.max(...ends) },
  };
}

/** Where a moved box comes to lie when sides and middles within `reach` of another box's catch it, and the lines that say so. */
export function align(
  moved: Box,
  rest: readonly Box[],
  reach: number,
): { position: Position; guides: Guide[] } {
  const [x, y] = [nearest(moved, rest, 'x', reach), nearest(moved, rest, 'y', reach)];
  return {
    position: { x: moved.x + (x?.shift ?? 0), y: moved.y + (y?.shift ?? 0) },
    guides: [x?.guide, y?.guide].filter((guide) => guide !== undefined),
  };
}

/** Whether a box lies wholly inside another. */
export const isInside = (box: Box, frame: Box) =>
  box.x >= frame.x &&
  box.y >= frame.y &&
  box.x + box.width <= frame.x + frame.width &&
  box.y + box.height <= frame.y + frame.height;

import type { Box } from '../geometry.ts';

/** A stretch of heights in which nothing lies. */
export interface Gap {
  top: number;
  bottom: number;
}

/** The free stretches of heights between boxes, each kept clear by so much, from the top down. Boxes that lie wholly beside `left` to `right` do not count. */
export function gapsBetween(
  boxes: readonly Box[],
  left: number,
  right: number,
  clear: (box: Box) => number,
): Gap[] {
  const blocked = boxes
    .filter((box) => box.x < right && box.x + box.width > left)
    .map((box) => ({ top: box.y - clear(box), bottom: box.y + box.height + clear(box) }))
    .sort((a, b) => a.top - b.top);
  const gaps: Gap[] = [];
  let top = -Infinity;
  for (const each of blocked) {
    if (each.top > top) gaps.push({ top, bottom: each.top });
    top = Math.max(top, each.bottom);
  }
  return [...gaps, { top, bottom: Infinity }];
}

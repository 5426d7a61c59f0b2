import type { Position } from '../../api/types/types.ts';
import { END, START, type Records } from '../document/document.ts';

export const NODE_WIDTH = 232;
export const NODE_HEIGHT = 76;
export const PILL = { width: 72, height: 32 };
/** What stands below the start: what a run begins with. */
export const CAPTION_HEIGHT = 18;
/** How far below the top of a card its plain handles stand. */
export const HANDLE_Y = 31;
export const GRID = 8;

export interface Size {
  width: number;
  height: number;
}
export type SizeOf = (id: string) => Size;

export const snap = (value: number) => Math.round(value / GRID) * GRID;

export const standard: SizeOf = () => ({ width: NODE_WIDTH, height: NODE_HEIGHT });

/** Where the start and end pills stand: left of everything and right of everything, level with what they touch. */
export function pillPositions(
  records: Records,
  sizeOf: SizeOf = standard,
): { start: Position; end: Position } {
  const nodes = [...records.nodes.values()].map((node) => ({
    id: node.id,
    ...(node.position ?? { x: 0, y: 0 }),
    ...sizeOf(node.id),
  }));
  if (nodes.length === 0) return { start: { x: 0, y: 0 }, end: { x: 320, y: 0 } };
  const level = (ids: string[], otherwise: number) => {
    const rows = nodes.filter((node) => ids.includes(node.id)).map((node) => node.y + HANDLE_Y);
    const middle = rows.length ? rows.reduce((sum, y) => sum + y, 0) / rows.length : otherwise;
    return Math.round(middle - PILL.height / 2);
  };
  const edges = [...records.edges.values()];
  const ending = edges.filter((edge) => edge.target === END).map((edge) => edge.source);
  const leftmost = nodes.reduce((best, node) => (node.x < best.x ? node : best));
  const rightmost = nodes.reduce((best, node) =>
    node.x + node.width > best.x + best.width ? node : best,
  );
  return {
    start: {
      x: leftmost.x - PILL.width - 72,
      y: level(
        edges.filter((edge) => edge.source === START).map((edge) => edge.target),
        leftmost.y + HANDLE_Y,
      ),
    },
    end: {
      x: rightmost.x + rightmost.width + 88,
      // offered while a wire is drawn: off the way of one that is pulled to a new node, which would end by accident
      y: level(ending, rightmost.y + HANDLE_Y + 96),
    },
  };
}

export interface Box extends Position, Size {
  id: string;
}
export type Alignment = 'left' | 'right' | 'top' | 'bottom' | 'centre' | 'middle';

/** Positions that line boxes up along one side or axis of the group. */
export function align(boxes: readonly Box[], how: Alignment): Map<string, Position> {
  const left = Math.min(...boxes.map((box) => box.x));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const top = Math.min(...boxes.map((box) => box.y));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const place = (box: Box): Position => {
    switch (how) {
      case 'left':
        return { x: left, y: box.y };
      case 'right':
        return { x: right - box.width, y: box.y };
      case 'top':
        return { x: box.x, y: top };
      case 'bottom':
        return { x: box.x, y: bottom - box.height };
      case 'centre':
        return { x: (left + right - box.width) / 2, y: box.y };
      case 'middle':
        return { x: box.x, y: (top + bottom - box.height) / 2 };
    }
  };
  return new Map(boxes.map((box) => [box.id, place(box)]));
}

/** Positions with equal gaps between neighbours; the outermost boxes stay. */
export function distribute(boxes: readonly Box[], axis: 'x' | 'y'): Map<string, Position> {
  const length = axis === 'x' ? 'width' : 'height';
  const row = boxes.toSorted((a, b) => a[axis] - b[axis]);
  const first = row[0];
  const last = row[row.length - 1];
  if (!first || !last || row.length < 3) return new Map();
  const free =
    last[axis] - first[axis] - row.slice(0, -1).reduce((sum, box) => sum + box[length], 0);
  const gap = free / (row.length - 1);
  let at = first[axis];
  return new Map(
    row.map((box) => {
      const position = { x: box.x, y: box.y, [axis]: Math.round(at) };
      at += box[length] + gap;
      return [box.id, position];
    }),
  );
}

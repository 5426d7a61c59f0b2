/** Where the cards of triggers stand: in a column before the start, level with it. */

export const CARD = { width: 190, height: 46, gap: 8 };
/** Room between the cards and the start, for their wires. */
const APART = 56;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The places of so many cards before a start, from the top down. */
export function columnOf(start: Box, count: number): Box[] {
  const step = CARD.height + CARD.gap;
  const top = start.y + start.height / 2 - (count * step - CARD.gap) / 2;
  const x = start.x - APART - CARD.width;
  return Array.from({ length: count }, (_, at) => ({
    x,
    y: top + at * step,
    width: CARD.width,
    height: CARD.height,
  }));
}

/** The line of a wire from a card to the start. */
export function wireOf(card: Box, start: Box): string {
  const [x, y] = [card.x + card.width, card.y + card.height / 2];
  const [toX, toY] = [start.x, start.y + start.height / 2];
  const bend = (toX - x) / 2;
  return `M${x},${y} C${x + bend},${y} ${toX - bend},${toY} ${toX},${toY}`;
}

/** Which part of the whole drawing's width the column takes with its wires. */
export function shareOf(start: Box, nodes: readonly Box[]): number {
  const column = CARD.width + APART;
  const right = Math.max(...nodes.map((node) => node.x + node.width), start.x + start.width);
  return column / (right - start.x + column);
}

import type { Position } from '../../api/types/types.ts';
import type { Port } from '../schema/ports.ts';
import { HANDLE_Y, NODE_WIDTH, type Size } from './layout.ts';

/** From how many nodes on a graph is drawn as one picture when zoomed out, and cards get their measures from here. */
export const LARGE = 120;

const HANDLE = 10;
const HEAD = 62;
const PORTS = 9;
const PORT = 24;
/** How high the row of badges at the foot of a card is: a run says there what a node took. */
export const FOOT = 33;

type Ports = readonly Pick<Port, 'id' | 'tucked'>[];

/** How high a card with so many rows of ports is, without badges. */
export const cardHeight = (rows: number) => (rows > 1 ? HEAD + PORTS + PORT * rows : HEAD);

/** The ports that take room on a card, and those that hang below it while it is looked at. */
export const placesOf = <P extends { tucked?: boolean }>(ports: readonly P[]): [P[], P[]] => [
  ports.filter(({ tucked }) => !tucked),
  ports.filter(({ tucked }) => tucked),
];

/** How high a card with these ports is, without badges. */
export const heightOf = (ports: Ports) => cardHeight(placesOf(ports)[0].length);

/** How far below the top of its card the middle of a port lies; of one that it has not, of its first. */
export function portY(ports: Ports, id: string | null | undefined): number {
  const [rows, below] = placesOf(ports);
  const hung = below.findIndex((port) => port.id === id);
  if (hung >= 0) return cardHeight(rows.length) + PORT * (hung + 0.5);
  const index = Math.max(
    0,
    rows.findIndex((port) => port.id === id),
  );
  return rows.length > 1 ? HEAD + 14 + PORT * index : HANDLE_Y;
}

export interface Box extends Position, Size {}

type Side = 'left' | 'right' | 'top' | 'bottom';
export interface Anchor extends Position {
  side: Side;
}

const anchor = (box: Box, side: Side): Anchor => ({
  side,
  x: side === 'left' ? box.x : side === 'right' ? box.x + box.width : box.x + box.width / 2,
  y: side === 'top' ? box.y : side === 'bottom' ? box.y + box.height : box.y + box.height / 2,
});

const CLEAR = 24;

/** The two points between which a line between boxes is shortest and crosses neither: facing sides. */
export function facing(from: Box, to: Box): [Anchor, Anchor] {
  if (to.y >= from.y + from.height + CLEAR) return [anchor(from, 'bottom'), anchor(to, 'top')];
  if (to.y + to.height + CLEAR <= from.y) return [anchor(from, 'top'), anchor(to, 'bottom')];
  return to.x >= from.x
    ? [anchor(from, 'right'), anchor(to, 'left')]
    : [anchor(from, 'left'), anchor(to, 'right')];
}

/** Where the handles of a card lie, as measuring it in the browser would find. */
export function handlePlaces(ports: Ports, reference: string) {
  const at = (type: 'source' | 'target', position: 'left' | 'right', id: string, y: number) => ({
    id,
    type,
    position,
    x: position === 'left' ? 1 - HANDLE / 2 : NODE_WIDTH - 1 - HANDLE / 2,
    y: y - HANDLE / 2,
    width: HANDLE,
    height: HANDLE,
  });
  return [
    at('target', 'left', 'in', HANDLE_Y),
    ...ports.map(({ id }) => at('source', 'right', id, portY(ports, id))),
    {
      id: reference,
      type: 'source' as const,
      position: 'bottom' as const,
      x: NODE_WIDTH / 2,
      y: heightOf(ports) - 1,
      width: 1,
      height: 1,
    },
  ];
}

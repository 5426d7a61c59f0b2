import type { Position } from '../../../api/types/types.ts';
import type { Box } from '../geometry.ts';
import { gapsBetween } from './gaps.ts';
import { type Lane, plainLane, pointsOf, STUB } from './lane.ts';

/** A wire between two boxes, from the middle of a port to where it arrives. */
export interface Ends {
  id: string;
  source: string;
  target: string;
  from: Position;
  to: Position;
}

export interface Obstacle extends Box {
  id: string;
}

/** A straight piece of a wire that is drawn. */
interface Piece extends Box {
  port: string;
  target: string;
}

/** A lane keeps so far off cards, and off other wires. */
const CLEAR = 16;
const APART = 10;
/** Where a wire may turn beside a card: the first where no other runs. */
const STUBS = [STUB, 36, 12, 48, 60];
/** So many free stretches are looked at, the nearest first. */
const TRIES = 12;
/** A wire may touch a card by so much. */
const TOUCH = 2;

const between = (a: Position, b: Position): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

const meet = (a: Box, b: Box, by: number) =>
  a.x < b.x + b.width + by &&
  b.x < a.x + a.width + by &&
  a.y < b.y + b.height + by &&
  b.y < a.y + a.height + by;

function hull(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

const piecesOf = (wire: Ends, lane: Lane): Piece[] => {
  const points = pointsOf(wire.from, wire.to, lane);
  const [port, target] = [portOf(wire), wire.target];
  return points.slice(1).map((point, index) => ({
    ...between(points[index] ?? point, point),
    port,
    target,
  }));
};

/** Whether a wire that runs like this lies on a card. At its ends it touches its own. */
export function crosses(wire: Ends, lane: Lane, boxes: readonly Obstacle[]): boolean {
  const pieces = piecesOf(wire, lane);
  const last = pieces.length - 1;
  const all = hull(pieces);
  const near = boxes.filter((box) => meet(all, box, 0));
  return near.some((box) =>
    pieces.some(
      (piece, index) =>
        !(index === 0 && box.id === wire.source) &&
        !(index === last && box.id === wire.target) &&
        meet(piece, box, -TOUCH),
    ),
  );
}

/** Where a wire leaves: what leaves or arrives together may run together. */
const portOf = ({ source, from }: Ends) => `${source} ${from.y}`;

const strangers = (wire: Ends, pieces: readonly Piece[]) =>
  pieces.filter(({ port, target }) => port !== portOf(wire) && target !== wire.target);

/** Lanes along which a wire could run past all boxes, those with the shortest way first. */
function lanesPast(wire: Ends, boxes: readonly Obstacle[], others: readonly Piece[]): Lane[] {
  const { from, to } = wire;
  const [out, into] = [from.x + STUB, to.x - STUB];
  const level = others.filter(({ height, width }) => height === 0 && width > 0);
  const isBox = new Set<Box>(boxes);
  const gaps = gapsBetween([...boxes, ...level], Math.min(out, into), Math.max(out, into), (box) =>
    isBox.has(box) ? CLEAR : APART,
  );
  const way = (y: number) => Math.abs(y - from.y) + Math.abs(y - to.y);
  return gaps
    .flatMap(({ top, bottom }) =>
      [from.y, to.y].map((y) => ({ out, y: Math.min(Math.max(y, top), bottom), into })),
    )
    .sort((a, b) => way(a.y) - way(b.y))
    .slice(0, TRIES);
}

/** The first place right (or left) of an end where a wire can go up or down and none does. */
function turnAt(
  end: Position,
  side: 1 | -1,
  y: number,
  { boxes, others }: { boxes: readonly Obstacle[]; others: readonly Piece[] },
): number | undefined {
  const strip = between(end, { x: end.x + side * Math.max(...STUBS), y });
  const near = [
    ...others.filter((piece) => piece.width === 0 && meet(strip, piece, APART)),
    ...boxes.filter((box) => meet(strip, box, APART)),
  ];
  return STUBS.map((stub) => end.x + side * stub).find((x) => {
    const piece = between({ x, y: end.y }, { x, y });
    return !near.some((other) => meet(piece, other, APART - 2));
  });
}

/** A lane with its turns where no other wire turns; as it is where there is no such place. */
function turned({ from, to }: Ends, lane: Lane, around: Parameters<typeof turnAt>[3]): Lane {
  return {
    ...lane,
    out: turnAt(from, 1, lane.y, around) ?? lane.out,
    into: turnAt(to, -1, lane.y, around) ?? lane.into,
  };
}

function around(wire: Ends, boxes: readonly Obstacle[], drawn: readonly Piece[]): Lane | null {
  const others = strangers(wire, drawn);
  for (const lane of lanesPast(wire, boxes, others)) {
    const better = turned(wire, lane, { boxes, others });
    const free = [better, lane].find((each) => !crosses(wire, each, boxes));
    if (free) return free;
  }
  return null;
}

/** The lanes of the wires that would else run behind a card; a wire that has none is not there. The shortest wires choose first. */
export function lanesOf(
  boxes: readonly Obstacle[],
  wires: readonly Ends[],
): ReadonlyMap<string, Lane> {
  const drawn: Piece[] = [];
  const hidden: Ends[] = [];
  for (const wire of wires) {
    const lane = plainLane(wire.from, wire.to);
    if (crosses(wire, lane, boxes)) hidden.push(wire);
    else drawn.push(...piecesOf(wire, lane));
  }
  const long = ({ from, to }: Ends) => Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
  const lanes = new Map<string, Lane>();
  for (const wire of hidden.sort((a, b) => long(a) - long(b))) {
    const lane = around(wire, boxes, drawn);
    drawn.push(...piecesOf(wire, lane ?? plainLane(wire.from, wire.to)));
    if (lane) lanes.set(wire.id, lane);
  }
  return lanes;
}

import type { NodeTypeInfo, Position } from '../api/types/types.ts';
import { type Records, START } from '../graph/document/document.ts';
import { addNode, connect, splice } from '../graph/editing/operations.ts';
import { freeRoom } from '../graph/layout/freeRoom.ts';
import { portY } from '../graph/layout/geometry.ts';
import { HANDLE_Y, NODE_HEIGHT, NODE_WIDTH } from '../graph/layout/layout.ts';
import { MAIN, portOf, UNSAID } from '../graph/schema/ports.ts';
import { wayOn } from '../graph/wiring/ways.ts';
import { useEditor } from '../store/editor.ts';
import type { CardNode, FlowNode } from '../store/flow.ts';
import { boxOf } from './overview/box.ts';
import { rememberType } from './palette/PaletteList.ts';
import { justMade, notSeenYet } from '../store/untouched.ts';

/** A place on a node to which a new one is wired. */
export interface WireEnd {
  node: string;
  port: string;
  direction: 'from' | 'to';
}

/** Between a card and the next one. */
const STEP = 88;
/** Dropped so near to the height of a wire's end, a card stands level with it. */
const LEVEL = 96;

/** The card that alone is selected. */
function anchor(): CardNode | undefined {
  const cards = useEditor.getState().nodes.filter((node) => node.selected);
  const [only] = cards;
  return cards.length === 1 && only?.type === 'card' ? only : undefined;
}

/** The wire that ties a new node in: from the selected card, or from the start if it is the first of all. */
export function tiedTo(place: Position | null): WireEnd | undefined {
  if (useEditor.getState().records.nodes.size === 0)
    return { node: START, port: MAIN, direction: 'from' };
  const from = anchor();
  if (!from) return undefined;
  const { port, free } = wayOn(useEditor.getState().records, from.id, from.data.ports);
  // dropped by hand it goes on only where one would have drawn the wire: to the right, from a free port
  if (place && !(free && place.x > from.position.x + NODE_WIDTH / 2)) return undefined;
  return { node: from.id, port, direction: 'from' };
}

/** Where nothing lies on anything: `wish`, or the next free place below. */
export function freePlace(wish: Position, size?: { width: number; height: number }): Position {
  const { nodes } = useEditor.getState();
  const isShown = (node: FlowNode) => node.type !== 'pill' || !node.data.idle;
  const taken = nodes.filter((node) => (node.type !== 'note' || size) && isShown(node));
  return freeRoom(taken.map(boxOf), wish, size ?? { width: NODE_WIDTH, height: NODE_HEIGHT });
}

/** Where a node stands that a wire was drawn to: off the card that the wire leaves, level with its end where that is near. */
export function atWire(place: Position, { node, port, direction }: WireEnd): Position {
  const other = useEditor.getState().nodes.find(({ id }) => id === node);
  if (!other) return place;
  const box = boxOf(other);
  const [near, end] =
    direction === 'from'
      ? [place.x > box.x + box.width / 2, Math.max(place.x, box.x + box.width + STEP)]
      : [place.x < box.x, Math.min(place.x, box.x - STEP - NODE_WIDTH)];
  const level = box.y + handleOf(other, direction === 'from' ? port : null) - HANDLE_Y;
  // beside another wire of the same end it would lie on that one, and its words on the ports
  const alone = direction === 'to' || !leaves(node, port);
  return {
    x: near ? end : place.x,
    y: alone && Math.abs(place.y - level) < LEVEL ? level : place.y,
  };
}

/** Whether a wire leaves this end already. */
const leaves = (node: string, port: string): boolean =>
  [...useEditor.getState().records.edges.values()].some(
    (edge) => edge.source === node && portOf(edge) === port,
  );

/** How far below the top of a card or pill a wire ends at it; null for where wires arrive. */
function handleOf(node: FlowNode, port: string | null): number {
  if (node.type !== 'card') return boxOf(node).height / 2;
  if (port === null) return HANDLE_Y;
  return portY(node.data.ports, port);
}

/** What a new node is to be, beside its type. */
export interface Fresh {
  /** What it is called; without it as its type is. */
  title?: string | undefined;
  /** What else is drawn with it. */
  grow?: (records: Records, id: string) => Records;
}

/** Add a node of a type, wired to an end or put into an edge. One undo step; the new node is selected. */
export function placeNode(
  type: NodeTypeInfo,
  place: Position,
  wire?: WireEnd,
  edge?: string | null,
  { title, grow = (records) => records }: Fresh = {},
): string {
  const { gesture, select, reserved } = useEditor.getState();
  const where = edge ? place : freePlace(place);
  let added = '';
  gesture(`Add ${type.label}`, (records) => {
    const result = addNode(records, type, where, reserved, title);
    added = result.id;
    const tied = () => {
      if (edge) return splice(result.records, edge, added);
      if (wire?.direction === 'from') return connect(result.records, wire.node, wire.port, added);
      return wire ? connect(result.records, added, MAIN, wire.node) : result.records;
    };
    return grow(tied(), added);
  });
  rememberType(type.type);
  select([added]);
  justMade(added);
  return added;
}

/** Show the form of the wire that was drawn last, where it is to be said yet when it is taken. */
export function askWhen(): void {
  const { records, select } = useEditor.getState();
  const last = [...records.edges.values()].at(-1);
  if (last?.condition !== UNSAID) return;
  notSeenYet(last.target);
  select([last.id]);
  justMade(last.id);
}

/** Add a node where it was dropped. */
export function dropNode(type: NodeTypeInfo, place: Position, edge: string | null): string {
  return placeNode(type, place, edge ? undefined : tiedTo(place), edge);
}

/** Add a node after the selected one, to its right; without one at `otherwise`. */
export function placeNext(type: NodeTypeInfo, otherwise: Position, fresh: Fresh = {}): string {
  const from = anchor();
  const place = from
    ? { x: from.position.x + (from.measured?.width ?? NODE_WIDTH) + STEP, y: from.position.y }
    : otherwise;
  return placeNode(type, place, tiedTo(null), null, fresh);
}

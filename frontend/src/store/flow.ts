import type { Edge, Node } from '@xyflow/react';
import type { NodeDoc, NodeTypeInfo, NoteDoc, Position } from '../api/types/types.ts';
import { heightOf, handlePlaces, LARGE } from '../graph/layout/geometry.ts';
import { END, START, type DraftEdge, type Records } from '../graph/document/document.ts';
import { fieldsOf } from '../graph/fields/fields.ts';
import {
  CAPTION_HEIGHT,
  NODE_HEIGHT,
  NODE_WIDTH,
  PILL,
  pillPositions,
} from '../graph/layout/layout.ts';
import { placesOf } from '../graph/layout/places.ts';
import { roomsOf } from '../graph/layout/rooms.ts';
import { idleWires } from '../graph/editing/alike.ts';
import { branchPorts } from '../graph/schema/branches.ts';
import {
  chooses,
  edgeText,
  MAIN,
  NEW_BRANCH,
  type Port,
  portOf,
  portsOf,
} from '../graph/schema/ports.ts';
import { nodeReferences } from '../graph/schema/schema.ts';

export type CardNode = Node<
  { doc: NodeDoc; type: NodeTypeInfo | undefined; ports: Port[] },
  'card'
>;
export type NoteNode = Node<{ note: NoteDoc }, 'note'>;
export type PillNode = Node<{ end: boolean; idle: boolean; fields: readonly string[] }, 'pill'>;
export type FlowNode = CardNode | NoteNode | PillNode;
/** A wire; `idle` says that an earlier one that asks for the same is always taken in its place. */
export type WireEdge = Edge<{ doc: DraftEdge; text: string; index: number; idle: boolean }, 'wire'>;
export type ReferenceEdge = Edge<Record<string, never>, 'reference'>;
export type FlowEdge = WireEdge | ReferenceEdge;

export interface Flow {
  nodes: FlowNode[];
  edges: FlowEdge[];
}
export type Types = ReadonlyMap<string, NodeTypeInfo>;

/** A parent handle that references leave from; cards have it beside their ports. */
export const REFERENCE = 'reference';

interface Options {
  types: Types;
  showAllPills: boolean;
  /** By node the field by whose values it is to branch. */
  branchBy?: ReadonlyMap<string, string>;
}

/**
 * What React Flow draws of a document. Whatever says the same as in `before` is the same object again,
 * so that only what changed is drawn anew; selection and measured sizes are kept.
 */
export function project(records: Records, before: Flow, options: Options): Flow {
  const oldNodes = new Map(before.nodes.map((node) => [node.id, node]));
  const oldEdges = new Map(before.edges.map((edge) => [edge.id, edge]));
  const out = new Map<string, DraftEdge[]>();
  for (const edge of records.edges.values()) {
    const list = out.get(edge.source);
    if (list) list.push(edge);
    else out.set(edge.source, [edge]);
  }
  const places = placesOf(records, roomsOf(records, options.types));
  const cards = [...records.nodes.values()].map((doc) =>
    card(
      doc,
      doc.position ?? places.get(doc.id) ?? { x: 0, y: 0 },
      out.get(doc.id) ?? [],
      oldNodes.get(doc.id),
      options,
      records,
    ),
  );
  const notes = [...records.notes.values()].map((note) => noteNode(note, oldNodes.get(note.id)));
  const placed =
    places.size === 0
      ? records
      : {
          ...records,
          nodes: new Map(cards.map(({ id, data, position }) => [id, { ...data.doc, position }])),
        };
  const pills = pillNodes(placed, oldNodes, options.showAllPills);
  const portsById = new Map(cards.map((node) => [node.id, node.data.ports]));
  const name = (id: string) =>
    id === START ? 'Start' : id === END ? 'End' : records.nodes.get(id)?.label || id;
  const idle = new Set([...out.values()].flatMap((wires) => idleWires(records, wires)));
  const wires = [...records.edges.values()].map((doc, index) =>
    wire(
      { doc, index, idle: idle.has(doc) },
      portsById.get(doc.source) ?? [],
      out.get(doc.source) ?? [],
      oldEdges.get(doc.id),
      name,
    ),
  );
  return {
    nodes: [...notes, ...pills, ...cards],
    edges: [...references(records, options.types, oldEdges), ...wires],
  };
}

const samePosition = (a: Position, b: Position) => a.x === b.x && a.y === b.y;
const samePorts = (a: readonly Port[], b: readonly Port[]) =>
  a.length === b.length &&
  a.every(
    (port, index) =>
      port.id === b[index]?.id &&
      port.label === b[index].label &&
      (port.quiet ?? false) === (b[index].quiet ?? false) &&
      (port.tucked ?? false) === (b[index].tucked ?? false),
  );

function card(
  doc: NodeDoc,
  position: Position,
  out: readonly DraftEdge[],
  old: FlowNode | undefined,
  { types, branchBy }: Options,
  { settings, nodes }: Records,
): CardNode {
  const type = types.get(doc.type);
  const large = nodes.size > LARGE;
  const ports = portsOf(type, out, branchPorts(settings, out, branchBy?.get(doc.id)));
  if (old?.type !== 'card') {
    return {
      id: doc.id,
      type: 'card',
      position,
      data: { doc, type, ports },
      ariaRole: 'group',
      initialWidth: NODE_WIDTH,
      initialHeight: NODE_HEIGHT,
      ...(large ? estimate(ports) : {}),
    };
  }
  const kept = samePorts(old.data.ports, ports) ? old.data.ports : ports;
  if (
    old.data.doc === doc &&
    old.data.type === type &&
    old.data.ports === kept &&
    samePosition(old.position, position)
  )
    return old;
  return {
    ...old,
    position: samePosition(old.position, position) ? old.position : position,
    data: { doc, type, ports: kept },
    ...(old.handles && kept !== old.data.ports ? estimate(kept) : {}),
  };
}

/** The id that the element of a card or pill has in the page. */
export const elementId = (id: string) => `on-canvas-${id}`;

/** Measures of a card that need not be drawn to be measured: in a large graph most never are. */
function estimate(ports: readonly Port[]): Pick<CardNode, 'handles' | 'measured'> {
  return {
    handles: handlePlaces(ports, REFERENCE) as CardNode['handles'],
    measured: { width: NODE_WIDTH, height: heightOf(ports) },
  };
}

function noteNode(note: NoteDoc, old: FlowNode | undefined): NoteNode {
  const size = note.size ?? { width: 240, height: 120 };
  const fresh = {
    position: note.position,
    width: size.width,
    height: size.height,
    zIndex: note.kind === 'frame' ? -2 : -1,
    data: { note },
  };
  if (old?.type !== 'note') return { id: note.id, type: 'note', ...fresh };
  if (old.data.note === note && samePosition(old.position, note.position)) return old;
  return { ...old, ...fresh };
}

function pillNodes(records: Records, old: ReadonlyMap<string, FlowNode>, all: boolean): PillNode[] {
  const sizeOf = (id: string) => {
    const measured = old.get(id)?.measured;
    return { width: measured?.width ?? NODE_WIDTH, height: measured?.height ?? NODE_HEIGHT };
  };
  const places = pillPositions(records, sizeOf);
  const linked = (id: string) =>
    [...records.edges.values()].some((edge) => edge.source === id || edge.target === id);
  const used = (id: string) => all || linked(id);
  const named = fieldsOf(records.settings.interface?.inputs).map((field) => field.name);
  const pill = (id: string, position: Position, end: boolean): PillNode => {
    const fields = end ? [] : named;
    const idle = end && !linked(id);
    const before = old.get(id);
    if (before?.type === 'pill')
      return samePosition(before.position, position) &&
        before.data.idle === idle &&
        before.data.fields.join() === fields.join()
        ? before
        : { ...before, position, data: { end, idle, fields } };
    return {
      id,
      type: 'pill',
      position,
      draggable: false,
      deletable: false,
      data: { end, idle, fields },
      ariaRole: 'group',
      initialWidth: PILL.width,
      initialHeight: PILL.height + (end ? 0 : CAPTION_HEIGHT),
    };
  };
  return [
    ...(used(START) ? [pill(START, places.start, false)] : []),
    ...(used(END) ? [pill(END, places.end, true)] : []),
  ];
}

/** The port of the card that a wire leaves from: the plain one where a condition is to be said yet and no port is for that. */
function handleOf(doc: DraftEdge, ports: readonly Port[]): string {
  const port = portOf(doc);
  return port !== NEW_BRANCH || ports.some(({ id }) => id === port) ? port : MAIN;
}

function wire(
  { doc, index, idle }: { doc: DraftEdge; index: number; idle: boolean },
  ports: readonly Port[],
  beside: readonly DraftEdge[],
  old: FlowEdge | undefined,
  name: (id: string) => string,
): WireEdge {
  const text = edgeText(doc, ports, doc.source !== START && chooses(beside));
  const sourceHandle = doc.source === START ? MAIN : handleOf(doc, ports);
  const ariaLabel = `Wire from ${name(doc.source)} to ${name(doc.target)}${text ? `, ${text}` : ''}`;
  if (
    old?.type === 'wire' &&
    old.data?.doc === doc &&
    old.data.text === text &&
    old.data.index === index &&
    old.data.idle === idle &&
    old.ariaLabel === ariaLabel &&
    old.sourceHandle === sourceHandle
  )
    return old;
  const kept = old?.type === 'wire' && old.selected ? { selected: true } : {};
  return {
    ...kept,
    id: doc.id,
    type: 'wire',
    source: doc.source,
    target: doc.target,
    sourceHandle,
    targetHandle: 'in',
    ariaLabel,
    data: { doc, text, index, idle },
  };
}

function references(
  records: Records,
  types: Types,
  old: ReadonlyMap<string, FlowEdge>,
): ReferenceEdge[] {
  return [...records.nodes.values()].flatMap((node) =>
    [...new Set(nodeReferences(types.get(node.type), node))]
      .filter((target) => records.nodes.has(target))
      .map((target): ReferenceEdge => {
        const id = `reference:${node.id}:${target}`;
        const before = old.get(id);
        if (before?.type === 'reference') return before;
        return {
          id,
          type: 'reference',
          source: node.id,
          target,
          sourceHandle: REFERENCE,
          targetHandle: 'in',
          selectable: false,
          deletable: false,
          focusable: false,
        };
      }),
  );
}

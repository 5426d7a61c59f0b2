import type {
  JsonObject,
  NodeDoc,
  NodeTypeInfo,
  NoteDoc,
  Position,
} from '../../api/types/types.ts';
import { type RecordValue, tidyEdge, withRecords } from '../document/diff.ts';
import {
  type DraftEdge,
  END,
  freeId,
  freshId,
  incoming,
  outgoing,
  type Records,
  START,
} from '../document/document.ts';
import { isRecord } from '../document/equal.ts';
import { snap } from '../layout/layout.ts';
import { canConnect, edgeFromPort, MAIN, NEW_BRANCH } from '../schema/ports.ts';
import { makeRoom } from '../layout/makeRoom.ts';
import { nodeReferences, widgetsIn, withValue } from '../schema/schema.ts';

const at = ({ x, y }: Position): Position => ({ x: snap(x), y: snap(y) });

/** A new node of a type with the type's own defaults, and an id that reads like its label. */
export function addNode(
  records: Records,
  type: NodeTypeInfo,
  position: Position,
): { records: Records; id: string } {
  const id = freeId(type.label.toLowerCase(), records.nodes);
  const node: NodeDoc = {
    id,
    type: type.type,
    label: type.label,
    read_keys: [...type.defaults.read_keys],
    write_keys: [...type.defaults.write_keys],
    config: structuredClone(type.defaults.config),
    position: at(position),
  };
  return { records: withRecords(records, [{ kind: 'node', id, value: node }]), id };
}

/** A wire from a port to a node; unchanged where it makes no sense. */
export function connect(records: Records, source: string, port: string, target: string): Records {
  if (!canConnect(records, source, port, target)) return records;
  const id = freshId('e');
  const edge = tidyEdge({
    id,
    source,
    target,
    ...edgeFromPort(port === NEW_BRANCH ? newBranch(records, source) : port),
  });
  return withRecords(records, [{ kind: 'edge', id, value: edge }]);
}

/** The port of a token that no edge of the node waits for yet. */
function newBranch(records: Records, source: string): string {
  const used = new Set(
    [...records.edges.values()].flatMap((edge) =>
      edge.source === source && edge.when ? [edge.when] : [],
    ),
  );
  let number = 1;
  while (used.has(`branch-${number}`)) number += 1;
  return `when:branch-${number}`;
}

/** Put a node into an edge: what came in still comes in by the same port, and goes on from the node's plain port. */
export function splice(records: Records, edgeId: string, nodeId: string): Records {
  const edge = records.edges.get(edgeId);
  if (!edge || edge.source === nodeId || edge.target === nodeId) return records;
  const cut = withRecords(records, [
    { kind: 'edge', id: edgeId, value: { ...edge, target: nodeId } },
  ]);
  return makeRoom(connect(cut, nodeId, MAIN, edge.target), edge.source, nodeId, edge.target);
}

/** Remove nodes, edges and notes by id, with every edge that loses an end. */
export function remove(records: Records, ids: ReadonlySet<string>): Records {
  const edges = [...records.edges.values()].filter(
    (edge) => ids.has(edge.id) || ids.has(edge.source) || ids.has(edge.target),
  );
  return withRecords(records, [
    ...[...ids]
      .filter((id) => records.nodes.has(id))
      .map((id) => ({ kind: 'node' as const, id, value: null })),
    ...[...ids]
      .filter((id) => records.notes.has(id))
      .map((id) => ({ kind: 'note' as const, id, value: null })),
    ...edges.map((edge) => ({ kind: 'edge' as const, id: edge.id, value: null })),
  ]);
}

/** Remove nodes and join what led to them with what followed; the edges that led there keep their conditions. */
export function removeAndHeal(records: Records, ids: ReadonlySet<string>): Records {
  let result = records;
  for (const id of ids) {
    if (!result.nodes.has(id)) continue;
    const sources = incoming(result, id).filter((edge) => edge.source !== id);
    const targets = outgoing(result, id).filter(
      (edge) => edge.target !== id && (edge.on ?? 'completed') === 'completed',
    );
    const healed = sources.flatMap((edge) =>
      targets.map((next, index) => ({
        ...edge,
        id: index === 0 ? edge.id : freshId('e'),
        target: next.target,
      })),
    );
    const bare = remove(result, new Set([id]));
    const fits = healed.filter(
      (edge) =>
        edge.source !== edge.target &&
        !(edge.source === START && edge.target === END) &&
        !hasSame(bare, edge),
    );
    result = withRecords(
      bare,
      fits.map((edge) => ({ kind: 'edge', id: edge.id, value: edge })),
    );
  }
  return remove(result, ids);
}

function hasSame(records: Records, edge: DraftEdge): boolean {
  const words = (other: DraftEdge) =>
    JSON.stringify([
      other.source,
      other.target,
      other.when,
      other.condition,
      other.trigger,
      other.on,
    ]);
  return [...records.edges.values()].some((other) => words(other) === words(edge));
}

/** What copying puts on the clipboard, as JSON text. */
export interface Clip {
  graphwright: 'clip';
  nodes: NodeDoc[];
  edges: DraftEdge[];
  notes: NoteDoc[];
}

/** The chosen nodes and notes with the edges among them and, where wanted, those that lead to them. */
export function copy(records: Records, ids: ReadonlySet<string>): Clip {
  return {
    graphwright: 'clip',
    nodes: [...records.nodes.values()].filter((node) => ids.has(node.id)),
    edges: [...records.edges.values()].filter(
      (edge) => ids.has(edge.target) && !edge.target.startsWith('__'),
    ),
    notes: [...records.notes.values()].filter((note) => ids.has(note.id)),
  };
}

/** The clip in a text; null when the text is something else. */
export function readClip(text: string): Clip | null {
  try {
    const value: unknown = JSON.parse(text);
    if (
      !isRecord(value) ||
      value.graphwright !== 'clip' ||
      !Array.isArray(value.nodes) ||
      !Array.isArray(value.edges)
    )
      return null;
    return {
      graphwright: 'clip',
      nodes: value.nodes as NodeDoc[],
      edges: value.edges as DraftEdge[],
      notes: Array.isArray(value.notes) ? (value.notes as NoteDoc[]) : [],
    };
  } catch {
    return null;
  }
}

export interface Pasted {
  records: Records;
  ids: string[];
}

/**
 * Paste a clip so that its upper left corner stands at `corner`. Nodes get free ids, references among
 * them follow. With `keepWires`, edges from nodes that are still here come along.
 */
export function paste(
  records: Records,
  clip: Clip,
  corner: Position,
  types: ReadonlyMap<string, NodeTypeInfo>,
  keepWires = false,
): Pasted {
  const taken = new Set(records.nodes.keys());
  const renamed = new Map<string, string>();
  for (const node of clip.nodes) {
    const id = freeId(node.id, taken);
    taken.add(id);
    renamed.set(node.id, id);
  }
  const places = [...clip.nodes, ...clip.notes].map((item) => item.position ?? { x: 0, y: 0 });
  const shift = {
    x: corner.x - Math.min(...places.map((place) => place.x)),
    y: corner.y - Math.min(...places.map((place) => place.y)),
  };
  const move = (place: Position | undefined): Position =>
    at({ x: (place?.x ?? 0) + shift.x, y: (place?.y ?? 0) + shift.y });
  const nodes = clip.nodes.map((node) => ({
    ...renameReferences(node, types.get(node.type), renamed),
    id: renamed.get(node.id) ?? node.id,
    position: move(node.position),
  }));
  const edges = clip.edges.flatMap((edge) => {
    const source =
      renamed.get(edge.source) ??
      (keepWires && (records.nodes.has(edge.source) || edge.source === START) ? edge.source : null);
    return source
      ? [{ ...edge, id: freshId('e'), source, target: renamed.get(edge.target) ?? edge.target }]
      : [];
  });
  const notes = clip.notes.map((note) => ({
    ...note,
    id: freshId('note'),
    position: move(note.position),
  }));
  const result = withRecords(records, [
    ...nodes.map((node) => ({ kind: 'node' as const, id: node.id, value: node })),
    ...edges.map((edge) => ({ kind: 'edge' as const, id: edge.id, value: edge })),
    ...notes.map((note) => ({ kind: 'note' as const, id: note.id, value: note })),
  ]);
  return {
    records: result,
    ids: [...nodes.map((node) => node.id), ...notes.map((note) => note.id)],
  };
}

/** A node whose config names other nodes by their new ids. */
function renameReferences(
  node: NodeDoc,
  type: NodeTypeInfo | undefined,
  renamed: ReadonlyMap<string, string>,
): NodeDoc {
  if (!type || !nodeReferences(type, node).some((id) => renamed.has(id))) return node;
  const rename = (value: unknown) =>
    typeof value === 'string' ? (renamed.get(value) ?? value) : value;
  let config: JsonObject = node.config ?? {};
  for (const { widget, path, value } of widgetsIn(type.config_schema, config)) {
    if (widget !== 'node' && widget !== 'nodes') continue;
    const next = Array.isArray(value) ? value.map(rename) : rename(value);
    config = withValue(config, path, next as JsonObject[string]) as JsonObject;
  }
  return { ...node, config };
}

/** Give a node another id; edges and the references of other nodes follow. Unchanged when the id is taken or no id. */
export function renameNode(
  records: Records,
  id: string,
  to: string,
  types: ReadonlyMap<string, NodeTypeInfo>,
): Records {
  const node = records.nodes.get(id);
  if (!node || records.nodes.has(to) || !/^[A-Za-z][A-Za-z0-9_-]*$/.test(to)) return records;
  const renamed = new Map([[id, to]]);
  const others = [...records.nodes.values()]
    .filter((other) => other.id !== id)
    .map((other) => renameReferences(other, types.get(other.type), renamed));
  const edges = [...records.edges.values()].filter(
    (edge) => edge.source === id || edge.target === id,
  );
  return withRecords(records, [
    { kind: 'node', id, value: null },
    {
      kind: 'node',
      id: to,
      value: { ...renameReferences(node, types.get(node.type), renamed), id: to },
    },
    ...others.map((other) => ({ kind: 'node' as const, id: other.id, value: other })),
    ...edges.map((edge) => ({
      kind: 'edge' as const,
      id: edge.id,
      value: {
        ...edge,
        source: edge.source === id ? to : edge.source,
        target: edge.target === id ? to : edge.target,
      },
    })),
  ]);
}

/** Let a node read a key besides those it reads. */
export function allowReading(records: Records, id: string, key: string): Records {
  const node = records.nodes.get(id);
  if (!node || node.read_keys?.includes(key)) return records;
  return withRecords(records, [
    { kind: 'node', id, value: { ...node, read_keys: [...(node.read_keys ?? []), key] } },
  ]);
}

/** Put nodes and notes at these positions. */
export function place(records: Records, positions: ReadonlyMap<string, Position>): Records {
  const set = [...positions].flatMap(([id, position]): RecordValue[] => {
    const node = records.nodes.get(id);
    if (node) return [{ kind: 'node', id, value: { ...node, position } }];
    const note = records.notes.get(id);
    return note ? [{ kind: 'note', id, value: { ...note, position } }] : [];
  });
  return withRecords(records, set);
}

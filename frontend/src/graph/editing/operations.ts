import type {
  AgentDoc,
  JsonObject,
  JsonSchema,
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
import { addField } from '../fields/fields.ts';
import { makeRoom } from '../layout/makeRoom.ts';
import { nodeReferences, widgetsIn, withValue } from '../schema/schema.ts';
import {
  namedAgents,
  ownAgentOf,
  renameAgentIn,
  withAgents,
  withOwnAgent,
  withoutOwnOf,
} from './ownAgents.ts';

const at = ({ x, y }: Position): Position => ({ x: snap(x), y: snap(y) });

const none: ReadonlySet<string> = new Set();

/** Ids that nodes or agents of the document have, or that are kept for others. */
const takenIds = (records: Records, reserved: ReadonlySet<string>) =>
  new Set([
    ...reserved,
    ...records.nodes.keys(),
    ...(records.settings.agents ?? []).map((agent) => agent.id),
  ]);

/**
 * A new node of a type with the type's own defaults, and an id that reads like its label; with an agent
 * of its own where the type needs one. `title` is what it is called, the type's label without it. `reserved` are ids that agents of the workspace have.
 */
export function addNode(
  records: Records,
  type: NodeTypeInfo,
  position: Position,
  reserved: ReadonlySet<string> = none,
  title = type.label,
): { records: Records; id: string } {
  const id = freeId(title.toLowerCase(), takenIds(records, reserved));
  const node: NodeDoc = {
    id,
    type: type.type,
    label: title,
    read_keys: [...type.defaults.read_keys],
    write_keys: [...type.defaults.write_keys],
    config: structuredClone(type.defaults.config),
    position: at(position),
  };
  const grown = withRecords(records, [{ kind: 'node', id, value: node }]);
  return { records: withOwnAgent(grown, type, id), id };
}

/** A wire from a port to a node; unchanged where it makes no sense. */
export function connect(records: Records, source: string, port: string, target: string): Records {
  if (!canConnect(records, source, port, target)) return records;
  const id = freshId('e');
  const edge = tidyEdge({
    id,
    source,
    target,
    ...edgeFromPort(
      saysWords(records, source) && port === NEW_BRANCH ? newBranch(records, source) : port,
    ),
  });
  return withRecords(records, [{ kind: 'edge', id, value: edge }]);
}

/** Whether a node says words by which to go on: a router does with an expression alone. */
export function saysWords(records: Records, id: string): boolean {
  const node = records.nodes.get(id);
  return node?.type !== 'router' || Boolean(node.config?.['expression']);
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

/** Remove nodes, edges and notes by id, with every edge that loses an end and every agent that only they had. */
export function remove(records: Records, ids: ReadonlySet<string>): Records {
  const edges = [...records.edges.values()].filter(
    (edge) => ids.has(edge.id) || ids.has(edge.source) || ids.has(edge.target),
  );
  const less = withRecords(records, [
    ...[...ids]
      .filter((id) => records.nodes.has(id))
      .map((id) => ({ kind: 'node' as const, id, value: null })),
    ...[...ids]
      .filter((id) => records.notes.has(id))
      .map((id) => ({ kind: 'note' as const, id, value: null })),
    ...edges.map((edge) => ({ kind: 'edge' as const, id: edge.id, value: null })),
  ]);
  return withoutOwnOf(records, less);
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
  /** The document's agents that the nodes name. */
  agents?: AgentDoc[];
  /** What the document says about the fields of memory that the nodes read or write. */
  fields?: Record<string, JsonSchema>;
}

/** The chosen nodes and notes with the edges among them and, where wanted, those that lead to them. */
export function copy(records: Records, ids: ReadonlySet<string>): Clip {
  const nodes = [...records.nodes.values()].filter((node) => ids.has(node.id));
  const keys = new Set(
    nodes.flatMap((node) => [...(node.read_keys ?? []), ...(node.write_keys ?? [])]),
  );
  const fields = Object.entries(records.settings.state_schema?.properties ?? {});
  return {
    graphwright: 'clip',
    nodes,
    edges: [...records.edges.values()].filter(
      (edge) => ids.has(edge.target) && !edge.target.startsWith('__'),
    ),
    notes: [...records.notes.values()].filter((note) => ids.has(note.id)),
    agents: [...new Set(nodes.flatMap((node) => namedAgents(records, node)))],
    fields: Object.fromEntries(fields.filter(([key]) => keys.has(key))),
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
      agents: Array.isArray(value.agents) ? (value.agents as AgentDoc[]) : [],
      fields: isRecord(value.fields) ? (value.fields as Record<string, JsonSchema>) : {},
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
 * them follow; agents and fields that this document lacks come along, and an agent of a node's own is
 * copied with it. With `keepWires`, edges from nodes that are still here come along.
 */
export function paste(
  records: Records,
  clip: Clip,
  corner: Position,
  types: ReadonlyMap<string, NodeTypeInfo>,
  keepWires = false,
  reserved: ReadonlySet<string> = none,
): Pasted {
  const taken = takenIds(records, reserved);
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
  const own = new Set(clip.agents?.map((agent) => agent.id).filter((id) => renamed.has(id)));
  const nodes = clip.nodes.map((node) => {
    const type = types.get(node.type);
    const id = renamed.get(node.id) ?? node.id;
    const named = renameReferences(node, type, renamed);
    return {
      ...(own.has(node.id) ? renameAgentIn(named, type, node.id, id) : named),
      id,
      position: move(node.position),
    };
  });
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
  const result = withRecords(broughtAlong(records, clip, renamed, reserved), [
    ...nodes.map((node) => ({ kind: 'node' as const, id: node.id, value: node })),
    ...edges.map((edge) => ({ kind: 'edge' as const, id: edge.id, value: edge })),
    ...notes.map((note) => ({ kind: 'note' as const, id: note.id, value: note })),
  ]);
  return {
    records: result,
    ids: [...nodes.map((node) => node.id), ...notes.map((note) => note.id)],
  };
}

/** The document with the agents and fields of a clip that it lacks. */
function broughtAlong(
  records: Records,
  clip: Clip,
  renamed: ReadonlyMap<string, string>,
  reserved: ReadonlySet<string>,
): Records {
  const here = new Set(records.settings.agents?.map((agent) => agent.id));
  const fresh = (clip.agents ?? []).flatMap((agent) => {
    const id = renamed.get(agent.id) ?? agent.id;
    return here.has(id) || (id === agent.id && reserved.has(id)) ? [] : [{ ...agent, id }];
  });
  const agents = [...(records.settings.agents ?? []), ...fresh];
  const schema = Object.entries(clip.fields ?? {}).reduce<JsonSchema | null>(
    (grown, [name, property]) => addField(grown, name, { property }),
    records.settings.state_schema ?? null,
  );
  const grown = fresh.length > 0 ? withAgents(records, agents) : records;
  if (schema === (records.settings.state_schema ?? null)) return grown;
  return withRecords(grown, [{ kind: 'setting', id: 'state_schema', value: schema }]);
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
  const agents = records.settings.agents ?? [];
  const own = ownAgentOf(records, id) !== null && !agents.some((agent) => agent.id === to);
  const type = types.get(node.type);
  const named = renameReferences(node, type, renamed);
  const ids = [...records.nodes.keys()];
  const next = ids[ids.indexOf(id) + 1];
  const moved = own
    ? withAgents(
        records,
        agents.map((agent) => (agent.id === id ? { ...agent, id: to } : agent)),
      )
    : records;
  return withRecords(moved, [
    { kind: 'node', id, value: null },
    {
      kind: 'node',
      id: to,
      value: { ...(own ? renameAgentIn(named, type, id, to) : named), id: to },
      ...(next === undefined ? {} : { next }),
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

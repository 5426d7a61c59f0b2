import type { JsonObject, NodeDoc, NodeTypeInfo, Position } from '../../api/types/types.ts';
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
import { snap } from '../layout/layout.ts';
import { canConnect, edgeFromPort, MAIN, NEW_BRANCH } from '../schema/ports.ts';
import { makeRoom } from '../layout/makeRoom.ts';
import { nodeReferences, widgetsIn, withValue } from '../schema/schema.ts';
import { ownAgentOf, renameAgentIn, withAgents, withOwnAgent, withoutOwnOf } from './ownAgents.ts';

export const gridded = ({ x, y }: Position): Position => ({ x: snap(x), y: snap(y) });

export const none: ReadonlySet<string> = new Set();

/** Ids that nodes or agents of the document have, or that are kept for others. */
export const takenIds = (records: Records, reserved: ReadonlySet<string>) =>
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
    position: gridded(position),
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

/** A node whose config names other nodes by their new ids. */
export function renameReferences(
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

import type {
  AgentDoc,
  JsonSchema,
  NodeDoc,
  NodeTypeInfo,
  NoteDoc,
  Position,
} from '../../../api/types/types.ts';
import { withRecords } from '../../document/diff.ts';
import { type DraftEdge, freeId, freshId, type Records, START } from '../../document/document.ts';
import { isRecord } from '../../document/equal.ts';
import { addField } from '../../fields/fields.ts';
import { gridded, none, renameReferences, takenIds } from '../operations.ts';
import { renameAgentIn, withAgents } from '../ownAgents.ts';
import type { Clip, StartField } from './copy.ts';
import { ledFromStart } from './fromStart.ts';
import { type Clash, withStartFields } from './startFields.ts';

/** The start fields of a text that was pasted: what is none is left out. */
function startIn(value: unknown): Record<string, StartField> {
  const found = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    found.flatMap(([name, field]): [string, StartField][] =>
      isRecord(field) && isRecord(field.schema)
        ? [[name, { schema: field.schema as JsonSchema, required: field.required === true }]]
        : [],
    ),
  );
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
      start: startIn(value.start),
    };
  } catch {
    return null;
  }
}

export interface Pasted {
  records: Records;
  ids: string[];
  /** The start fields that came along. */
  came: string[];
  /** Those that are here already and hold something else. */
  clashes: Clash[];
}

/**
 * Paste a clip so that its upper left corner stands at `corner`. Nodes get free ids, references among
 * them follow; agents and fields that this document lacks come along, and an agent of a node's own is
 * copied with it. With `keepWires`, edges from nodes that are still here come along. In a document without
 * nodes, Start leads to the first of what is pasted.
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
    gridded({ x: (place?.x ?? 0) + shift.x, y: (place?.y ?? 0) + shift.y });
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
  const begun = withStartFields(records, clip.start ?? {});
  const result = withRecords(broughtAlong(begun.records, clip, renamed, reserved), [
    ...nodes.map((node) => ({ kind: 'node' as const, id: node.id, value: node })),
    ...edges.map((edge) => ({ kind: 'edge' as const, id: edge.id, value: edge })),
    ...notes.map((note) => ({ kind: 'note' as const, id: note.id, value: note })),
  ]);
  return {
    records: records.nodes.size === 0 ? ledFromStart(result, types) : result,
    ids: [...nodes.map((node) => node.id), ...notes.map((note) => note.id)],
    came: begun.came,
    clashes: begun.clashes,
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

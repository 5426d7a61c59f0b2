import type { AgentDoc, JsonSchema, NodeDoc, NoteDoc } from '../../../api/types/types.ts';
import type { DraftEdge, Records } from '../../document/document.ts';
import { fieldsOf } from '../../fields/fields.ts';
import { namedAgents } from '../ownAgents.ts';

/** A start field that what was copied reads. */
export interface StartField {
  schema: JsonSchema;
  required: boolean;
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
  /** The start fields that the nodes, their agents and their wires read. */
  start?: Record<string, StartField>;
}

const READ = /\binput(?:\.|\[\\?["'])([\p{L}_][\p{L}\p{N}_-]*)/gu;

/** The start fields that parts of a document read, by their names. */
function startFieldsRead(records: Records, parts: readonly unknown[]): Record<string, StartField> {
  const read = new Set([...JSON.stringify(parts).matchAll(READ)].map(([, name]) => name));
  return Object.fromEntries(
    fieldsOf(records.settings.interface?.inputs).flatMap(({ name, schema, required }) =>
      read.has(name) ? [[name, { schema, required }]] : [],
    ),
  );
}

/** The chosen nodes and notes with the edges among them and, where wanted, those that lead to them. */
export function copy(records: Records, ids: ReadonlySet<string>): Clip {
  const nodes = [...records.nodes.values()].filter((node) => ids.has(node.id));
  const keys = new Set(
    nodes.flatMap((node) => [...(node.read_keys ?? []), ...(node.write_keys ?? [])]),
  );
  const fields = Object.entries(records.settings.state_schema?.properties ?? {});
  const edges = [...records.edges.values()].filter(
    (edge) => ids.has(edge.target) && !edge.target.startsWith('__'),
  );
  const agents = [...new Set(nodes.flatMap((node) => namedAgents(records, node)))];
  return {
    graphwright: 'clip',
    nodes,
    edges,
    notes: [...records.notes.values()].filter((note) => ids.has(note.id)),
    agents,
    fields: Object.fromEntries(fields.filter(([key]) => keys.has(key))),
    start: startFieldsRead(records, [nodes, edges, agents]),
  };
}

import type {
  EdgeDoc,
  GraphDoc,
  Position,
  GraphFields,
  NodeDoc,
  NoteDoc,
} from '../../api/types/documentTypes.ts';

export const START = '__start__';
export const END = '__end__';

/** An edge of a draft: its id is made here, once, and never changes. */
export type DraftEdge = EdgeDoc & { id: string };

/** The settings of a graph that are neither nodes, edges nor notes. */
export type Settings = Omit<GraphFields, 'notes'>;
export type SettingName = keyof Settings;

/** Every setting, with what a document that is silent about it says. */
export const silentSettings: Required<Settings> = {
  goal: '',
  constraints: [],
  state_schema: null,
  initial_memory: {},
  defaults: {},
  limits: {},
  interface: null,
  agents: [],
};
export const settingNames = Object.keys(silentSettings) as readonly SettingName[];

/** The editable document as records by id, in document order. Treated as immutable: every change makes new maps. */
export interface Records {
  nodes: ReadonlyMap<string, NodeDoc>;
  edges: ReadonlyMap<string, DraftEdge>;
  notes: ReadonlyMap<string, NoteDoc>;
  settings: Settings;
}

export const emptyRecords: Records = {
  nodes: new Map(),
  edges: new Map(),
  notes: new Map(),
  settings: {},
};

/** Records of a document. Edges without an id get one from their place and ends, the same on every load. */
export function toRecords(document: GraphDoc): Records {
  const settings: Record<string, unknown> = {};
  for (const name of settingNames) {
    if (document[name] !== undefined) settings[name] = document[name];
  }
  return {
    nodes: new Map(document.nodes.map((node) => [node.id, placed(node)])),
    edges: new Map(
      document.edges.map((edge, index) => withId(edge, index)).map((edge) => [edge.id, edge]),
    ),
    notes: new Map((document.notes ?? []).map((note) => [note.id, placed(note)])),
    settings: settings as Settings,
  };
}

/** A document may leave out a coordinate that is zero; the canvas needs both. */
function placed<T extends { position?: Partial<Position> | null }>(thing: T): T {
  const { position } = thing;
  if (!position || (position.x !== undefined && position.y !== undefined)) return thing;
  return { ...thing, position: { x: 0, y: 0, ...position } };
}

function withId(edge: EdgeDoc, index: number): DraftEdge {
  return { ...edge, id: edge.id ?? `${edge.source}-${edge.target}-${index}` };
}

/** The document of records; `head` gives what is not edited on the canvas (id, name, version, description). */
export function toDocument(
  records: Records,
  head: Pick<GraphDoc, 'id' | 'name' | 'version' | 'description'>,
): GraphDoc {
  const { id, name, version, description } = head;
  return {
    graphwright: 1,
    id,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    ...records.settings,
    nodes: [...records.nodes.values()],
    edges: [...records.edges.values()],
    notes: [...records.notes.values()],
  };
}

/** Edges that leave a node, in document order. */
export function outgoing(records: Records, id: string): DraftEdge[] {
  return [...records.edges.values()].filter((edge) => edge.source === id);
}

/** Edges that arrive at a node, in document order. */
export function incoming(records: Records, id: string): DraftEdge[] {
  return [...records.edges.values()].filter((edge) => edge.target === id);
}

/** Whether a pasted text is meant as a graph document, in YAML or JSON. */
export const looksLikeDocument = (text: string) =>
  /^[ \t]*"?nodes"?[ \t]*:/m.test(text) || /"graphwright"|^graphwright:/m.test(text);

/** A name that is free among `taken`: the wish itself, else with the next number behind it. */
export function freeId(wish: string, taken: { has(id: string): boolean }): string {
  const base =
    wish
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^[^A-Za-z]+/, '')
      .replace(/(?<!_)_+$/, '') || 'node';
  if (!taken.has(base)) return base;
  const stem = base.replace(/_\d+$/, '');
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`;
  }
}

let lastEdge = 0;

/** A fresh edge id, unlike any other of this or another tab. */
export function freshId(prefix: string): string {
  lastEdge += 1;
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `${prefix}${random.toString(36)}${lastEdge.toString(36)}`;
}

import type { EdgeDoc, NodeDoc, NoteDoc } from '../../api/types/documentTypes.ts';
import { type DraftEdge, type Records, type Settings, settingNames } from './document.ts';
import { equal } from './equal.ts';
import { merge3 } from './merge.ts';

export type RecordKind = 'node' | 'edge' | 'note' | 'setting';

/** What became of one record. Null stands for "is not there"; settings are one record a field. */
export interface Change {
  kind: RecordKind;
  id: string;
  before: unknown;
  after: unknown;
}

function diffMap(
  kind: RecordKind,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): Change[] {
  if (before === after) return [];
  const changes: Change[] = [];
  for (const [id, old] of before) {
    const now = after.get(id);
    if (old !== now && !equal(old, now))
      changes.push({ kind, id, before: old, after: now ?? null });
  }
  for (const [id, now] of after) {
    if (!before.has(id)) changes.push({ kind, id, before: null, after: now });
  }
  return changes;
}

/** The changes that lead from one document to another, by record; empty when they say the same. */
export function diff(before: Records, after: Records): Change[] {
  const settings = (records: Records) =>
    new Map<string, unknown>(settingNames.map((name) => [name, records.settings[name] ?? null]));
  return [
    ...diffMap('node', before.nodes, after.nodes),
    ...diffMap('edge', before.edges, after.edges),
    ...diffMap('note', before.notes, after.notes),
    ...(before.settings === after.settings
      ? []
      : diffMap('setting', settings(before), settings(after))),
  ];
}

/** The changes that take these back, last first. */
export function reverse(changes: readonly Change[]): Change[] {
  return changes
    .map((change) => ({ ...change, before: change.after, after: change.before }))
    .toReversed();
}

/** A record as it stands; null when it is not there. */
export function recordOf(records: Records, kind: RecordKind, id: string): unknown {
  if (kind === 'node') return records.nodes.get(id) ?? null;
  if (kind === 'edge') return records.edges.get(id) ?? null;
  if (kind === 'note') return records.notes.get(id) ?? null;
  return records.settings[id as keyof Settings] ?? null;
}

/** A record as it should be; null removes it. */
export interface RecordValue {
  kind: RecordKind;
  id: string;
  value: unknown;
}

/** Records with these records set (or removed, where the value is null). */
export function withRecords(records: Records, set: readonly RecordValue[]): Records {
  if (set.length === 0) return records;
  const nodes = new Map(records.nodes);
  const edges = new Map(records.edges);
  const notes = new Map(records.notes);
  const settings: Record<string, unknown> = { ...records.settings };
  for (const { kind, id, value } of set) {
    if (kind === 'node') put(nodes, id, value as NodeDoc | null);
    else if (kind === 'edge') put(edges, id, value as DraftEdge | null);
    else if (kind === 'note') put(notes, id, value as NoteDoc | null);
    else if (value === null) Reflect.deleteProperty(settings, id);
    else settings[id] = value;
  }
  const touched = new Set(set.map((entry) => entry.kind));
  return {
    nodes: touched.has('node') ? nodes : records.nodes,
    edges: touched.has('edge') ? edges : records.edges,
    notes: touched.has('note') ? notes : records.notes,
    settings: touched.has('setting') ? (settings as Settings) : records.settings,
  };
}

function put<T>(map: Map<string, T>, id: string, value: T | null): void {
  if (value === null) map.delete(id);
  else map.set(id, value);
}

/**
 * Apply changes to a document that may have moved on since they were made. A field that somebody else
 * changed in between keeps the newer value; a record that somebody else changed is not removed.
 * Edges whose ends are gone stay away.
 */
export function apply(records: Records, changes: readonly Change[]): Records {
  const set = changes.map(({ kind, id, before, after }) => {
    const current = recordOf(records, kind, id);
    return { kind, id, value: merge3(before, after, current, 'theirs').value };
  });
  const result = withRecords(records, set);
  return withoutLooseEdges(
    result,
    new Set(set.filter((entry) => entry.kind !== 'note').map((entry) => entry.id)),
    records,
  );
}

/** Drop edges that lost an end by these changes. Edges that were loose before stay: they are shown as problems. */
function withoutLooseEdges(
  records: Records,
  touched: ReadonlySet<string>,
  before: Records,
): Records {
  const there = (end: string) => end.startsWith('__') || records.nodes.has(end);
  const loose = [...records.edges.values()].filter(
    (edge) =>
      !(there(edge.source) && there(edge.target)) &&
      (touched.has(edge.id) || before.nodes.has(edge.source) || before.nodes.has(edge.target)),
  );
  return withRecords(
    records,
    loose.map((edge) => ({ kind: 'edge' as const, id: edge.id, value: null })),
  );
}

/** An edge without fields that say nothing, as it is stored. */
export function tidyEdge<T extends EdgeDoc>(edge: T): T {
  return Object.fromEntries(
    Object.entries(edge).filter(
      ([, value]) => value !== undefined && value !== null && value !== '',
    ),
  ) as T;
}

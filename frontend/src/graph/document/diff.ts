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
  /** The record that it stands or stood in front of, where it came or went; none for the last one. */
  next?: string;
}

/** Who follows whom, asked for one after the other in the order of the records. */
function followers(records: ReadonlyMap<string, unknown>): (id: string) => { next?: string } {
  const ids = [...records.keys()];
  let at = 0;
  return (id) => {
    at = Math.max(ids.indexOf(id, at), 0);
    const next = ids[at + 1];
    return next === undefined ? {} : { next };
  };
}

function diffMap(
  kind: RecordKind,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): Change[] {
  if (before === after) return [];
  const changes: Change[] = [];
  const [was, is] = [followers(before), followers(after)];
  for (const [id, old] of before) {
    const now = after.get(id);
    if (now === undefined) changes.push({ kind, id, before: old, after: null, ...was(id) });
    else if (old !== now && !equal(old, now)) changes.push({ kind, id, before: old, after: now });
  }
  for (const [id, now] of after) {
    if (!before.has(id)) changes.push({ kind, id, before: null, after: now, ...is(id) });
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
  /** In front of which record it is put where it was not there; at the end without one. */
  next?: string;
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
  const of = (kind: RecordKind) => set.filter((entry) => entry.kind === kind);
  const touched = new Set(set.map((entry) => entry.kind));
  return {
    nodes: touched.has('node') ? placed(nodes, records.nodes, of('node')) : records.nodes,
    edges: touched.has('edge') ? placed(edges, records.edges, of('edge')) : records.edges,
    notes: touched.has('note') ? placed(notes, records.notes, of('note')) : records.notes,
    settings: touched.has('setting') ? (settings as Settings) : records.settings,
  };
}

function put<T>(map: Map<string, T>, id: string, value: T | null): void {
  if (value === null) map.delete(id);
  else map.set(id, value);
}

/** The records in an order in which each new one stands in front of the one that it names. */
function placed<T>(
  map: Map<string, T>,
  known: ReadonlyMap<string, T>,
  set: readonly RecordValue[],
): Map<string, T> {
  const next = new Map(
    set.flatMap(({ id, next: follower }): [string, string][] =>
      follower !== undefined && map.has(id) && !known.has(id) ? [[id, follower]] : [],
    ),
  );
  if (next.size === 0) return map;
  const order = [...map.keys()].filter((id) => !next.has(id));
  const stand = (id: string) => {
    const follower = next.get(id);
    if (follower === undefined || !next.delete(id)) return;
    stand(follower); // it may be new itself
    const at = order.indexOf(follower);
    order.splice(at < 0 ? order.length : at, 0, id);
  };
  [...next.keys()].forEach(stand);
  return new Map(order.map((id) => [id, map.get(id) as T]));
}

/**
 * Apply changes to a document that may have moved on since they were made. A field that somebody else
 * changed in between keeps the newer value; a record that somebody else changed is not removed.
 * Edges whose ends are gone stay away.
 */
export function apply(records: Records, changes: readonly Change[]): Records {
  const set = changes.map(({ kind, id, before, after, next }) => {
    const current = recordOf(records, kind, id);
    const value = merge3(before, after, current, 'theirs').value;
    return { kind, id, value, ...(next === undefined ? {} : { next }) };
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
      ([name, value]) =>
        value !== undefined && value !== null && (value !== '' || name === 'condition'),
    ),
  ) as T;
}

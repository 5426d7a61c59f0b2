import type { Cure, Edit, EdgeDoc, Json, JsonObject, NodeDoc } from '../../api/types/types.ts';
import { withRecords } from '../document/diff.ts';
import { freshId, type Records, type SettingName } from '../document/document.ts';
import { equal, isRecord } from '../document/equal.ts';
import { makeRoom } from '../layout/makeRoom.ts';
import { allows } from '../schema/names.ts';
import { withValue } from '../schema/schema.ts';
import { remove } from './operations.ts';

/** Whether an edit makes a whole node. */
const isNew = (edit: Edit) => edit.path.length === 0 && edit.value !== null;

/** The part of the document that an edit changes; undefined where it is gone. */
function partOf(records: Records, edit: Edit): unknown {
  if (edit.part === 'node') return records.nodes.get(edit.id) ?? (isNew(edit) ? {} : undefined);
  if (edit.part === 'edge') return edit.id === '' ? {} : records.edges.get(edit.id);
  return records.settings;
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)] as unknown;
    return isRecord(inner) ? inner[step] : undefined;
  }, value);
}

/** The value that an edit leads to. A node that says nothing about its keys has those of the defaults. */
function wanted(records: Records, edit: Edit): Json | undefined {
  if (edit.op === 'set') return edit.value ?? undefined;
  const [field] = edit.path;
  const { defaults } = records.settings;
  const silent =
    field === 'read_keys' || field === 'write_keys' ? (defaults?.[field] ?? []) : ([] as string[]);
  const now = valueAt(partOf(records, edit), edit.path) ?? silent;
  const list = Array.isArray(now) ? (now as Json[]) : [];
  return list.some((item) => equal(item, edit.value)) ? list : [...list, edit.value];
}

const drawn = (records: Records, edge: EdgeDoc) =>
  [...records.edges.values()].some(
    (other) =>
      other.source === edge.source &&
      other.target === edge.target &&
      (other.on ?? 'completed') === (edge.on ?? 'completed') &&
      (other.condition ?? null) === (edge.condition ?? null) &&
      (other.when ?? null) === (edge.when ?? null) &&
      !other.trigger,
  );

/** A node as a whole: new, or gone with its wires. */
function wholeNode(records: Records, edit: Edit): Records {
  if (edit.value === null) return remove(records, new Set([edit.id]));
  if (records.nodes.has(edit.id)) return records;
  const value = edit.value as unknown as NodeDoc;
  return withRecords(records, [{ kind: 'node', id: edit.id, value }]);
}

function applied(records: Records, edit: Edit): Records {
  const part = partOf(records, edit);
  if (part === undefined) return records;
  if (edit.part === 'node' && edit.path.length === 0) return wholeNode(records, edit);
  if (edit.part === 'edge' && edit.path.length === 0) {
    const id = edit.id || freshId('e');
    if (edit.value === null) return withRecords(records, [{ kind: 'edge', id, value: null }]);
    const edge = edit.value as unknown as EdgeDoc;
    return drawn(records, edge)
      ? records
      : withRecords(records, [{ kind: 'edge', id, value: { ...edge, id } }]);
  }
  const next = withValue(part as JsonObject, edit.path, wanted(records, edit)) as JsonObject;
  if (equal(next, part)) return records;
  if (edit.part !== 'graph')
    return withRecords(records, [{ kind: edit.part, id: edit.id, value: next }]);
  const name = edit.path[0] as SettingName;
  return withRecords(records, [{ kind: 'setting', id: name, value: next[name] ?? null }]);
}

/** The document in which a node may read what this read key lets it; unchanged where it may already. */
export function allowed(records: Records, node: string, grant: string): Records {
  const keys = records.nodes.get(node)?.read_keys ?? records.settings.defaults?.read_keys ?? [];
  if (allows(keys, grant)) return records;
  const edit: Edit = { op: 'add', part: 'node', id: node, path: ['read_keys'], value: grant };
  return applied(records, edit);
}

/** The document in which new nodes stand beside those that they are wired to. */
function withRoom(records: Records, fresh: readonly string[]): Records {
  return fresh.reduce((now, id) => {
    const edges = [...now.edges.values()];
    const source = edges.find((edge) => edge.target === id)?.source ?? '';
    return edges
      .filter((edge) => edge.source === id)
      .reduce((spread, edge) => makeRoom(spread, source, id, edge.target), now);
  }, records);
}

/** The document after a cure; the same object where there is nothing left to cure. */
export function cured(records: Records, cure: Cure): Records {
  const fresh = cure.edits.filter(
    (edit) => edit.part === 'node' && isNew(edit) && !records.nodes.has(edit.id),
  );
  const made = cure.edits.some((edit) => edit.part === 'node' && isNew(edit));
  if (made && fresh.length === 0) return records;
  return withRoom(
    cure.edits.reduce(applied, records),
    fresh.map(({ id }) => id),
  );
}

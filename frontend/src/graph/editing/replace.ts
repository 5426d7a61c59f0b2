import { type RecordValue, withRecords } from '../document/diff.ts';
import type { Records } from '../document/document.ts';
import { isRecord } from '../document/equal.ts';

/** A text that holds what was searched for. */
export interface Match {
  kind: 'node' | 'edge' | 'note';
  id: string;
  path: string;
  text: string;
}

/** The fields whose texts an author writes; ids, types and places are left alone. */
const fields = {
  node: ['label', 'config', 'description', 'human_description'],
  edge: ['label', 'condition'],
  note: ['text'],
} as const;

type Visit = (text: string, path: string) => string;

function walk(value: unknown, path: string, visit: Visit): unknown {
  if (typeof value === 'string') return visit(value, path);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => walk(item, `${path}.${index}`, visit));
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, walk(item, `${path}.${key}`, visit)]),
      )
    : value;
}

/** Every record with its texts visited; those in which nothing changed are left out. */
function visited(
  records: Records,
  visit: (kind: Match['kind'], id: string) => Visit,
): RecordValue[] {
  const all = [
    ['node', records.nodes],
    ['edge', records.edges],
    ['note', records.notes],
  ] as const;
  return all.flatMap(([kind, items]) =>
    [...items.values()].flatMap((record): RecordValue[] => {
      let changed = false;
      const noted: Visit = (text, path) => {
        const next = visit(kind, record.id)(text, path);
        changed ||= next !== text;
        return next;
      };
      const values = record as unknown as Record<string, unknown>;
      const next = Object.fromEntries(
        fields[kind]
          .filter((name) => name in values)
          .map((name) => [name, walk(values[name], name, noted)]),
      );
      return changed ? [{ kind, id: record.id, value: { ...record, ...next } }] : [];
    }),
  );
}

/** The places where a text stands, upper and lower case alike; in document order. */
export function findText(records: Records, search: string): Match[] {
  const found: Match[] = [];
  const wanted = search.toLowerCase();
  if (!wanted) return found;
  visited(records, (kind, id) => (text, path) => {
    if (text.toLowerCase().includes(wanted)) found.push({ kind, id, path, text });
    return text;
  });
  return found;
}

/** Records with every occurrence replaced. */
export function replaceText(records: Records, search: string, by: string): Records {
  if (!search) return records;
  const pattern = new RegExp(search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  return withRecords(
    records,
    visited(records, () => (text) => text.replace(pattern, () => by)),
  );
}

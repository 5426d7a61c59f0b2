import type { NodeDoc } from '../../api/types/types.ts';
import { type Change, withRecords } from '../document/diff.ts';
import type { Records } from '../document/document.ts';
import { isRecord } from '../document/equal.ts';

/** A draft before an edit and now, and what was done before, last thing last. */
export interface Edited {
  before: Records;
  now: Records;
  history: readonly (readonly Change[])[];
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  return isRecord(value)
    ? Object.entries(value).flatMap(([key, each]) => [key, ...texts(each)])
    : [];
}

/** Whether a node says the name that a read key ends with, anywhere: where it might be named, it stays allowed. */
function says(node: NodeDoc, key: string): boolean {
  const name = (key.split('.').at(-1) ?? key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'u');
  const { config, memory_query, write_keys } = node;
  return texts([config, memory_query, write_keys]).some((text) => word.test(text));
}

/** Whether what let a node read a key was done as it was named, not by hand; as far as the history knows. */
function cameByName(id: string, key: string, { now, history }: Edited): boolean {
  const silent = now.settings.defaults?.read_keys ?? [];
  const has = (node: NodeDoc) => (node.read_keys ?? silent).includes(key);
  const [came] = history
    .toReversed()
    .flat()
    .filter(({ kind, id: of, after }) => kind === 'node' && of === id && after !== null)
    .map(({ before, after }) => [before as NodeDoc | null, after as NodeDoc] as const)
    .filter(([before, after]) => has(after) && !(before && has(before)));
  if (!came) return false;
  const [before, after] = came;
  return before !== null && says(after, key) && !says(before, key);
}

/**
 * The document now, without the read keys of a node that were written because a text named them and whose last
 * mention this edit took away. What was set by hand in *Access*, or before anything that can be undone, stays.
 */
export function withoutIdleGrants(id: string, edited: Edited): Records {
  const { before, now } = edited;
  const [was, node] = [before.nodes.get(id), now.nodes.get(id)];
  if (!was || !node?.read_keys) return now;
  const known = was.read_keys ?? before.settings.defaults?.read_keys ?? [];
  const isIdle = (key: string) => {
    if (key === '*' || says(node, key)) return false;
    // named and unnamed in one visit, it came with this edit
    return known.includes(key) ? says(was, key) && cameByName(id, key, edited) : true;
  };
  const kept = node.read_keys.filter((key) => !isIdle(key));
  if (kept.length === node.read_keys.length) return now;
  return withRecords(now, [{ kind: 'node', id, value: { ...node, read_keys: kept } }]);
}

import { equal, isRecord } from './equal.ts';
import { mergeText } from './text/textMerge.ts';

export interface Merged {
  value: unknown;
  /** Paths (`config.prompt`) that both sides changed, each to something else. */
  conflicts: string[];
}

/**
 * Three-way merge of JSON values: what only one side changed is taken from that side, objects field by
 * field, lists of things with ids (agents, the options of a question) thing by thing, texts word by word,
 * everything else whole. Where both changed the same, `prefer` decides
 * and the path is reported.
 * Null stands for "is not there".
 */
export function merge3(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  prefer: 'mine' | 'theirs',
  path = '',
): Merged {
  if (equal(mine, base) || equal(mine, theirs)) return { value: theirs, conflicts: [] };
  if (equal(theirs, base)) return { value: mine, conflicts: [] };
  if (isRecord(mine) && isRecord(theirs))
    return mergeFields(isRecord(base) ? base : {}, mine, theirs, prefer, path);
  const listed = mergeListed(base, mine, theirs, prefer, path);
  if (listed) return listed;
  const text = [base, mine, theirs].every((side) => typeof side === 'string')
    ? mergeText(base as string, mine as string, theirs as string)
    : null;
  if (text !== null) return { value: text, conflicts: [] };
  return { value: prefer === 'mine' ? mine : theirs, conflicts: [path] };
}

function mergeFields(
  base: Record<string, unknown>,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
  prefer: 'mine' | 'theirs',
  path: string,
): Merged {
  const value: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const merged = merge3(base[key], mine[key], theirs[key], prefer, path ? `${path}.${key}` : key);
    if (merged.value !== undefined) value[key] = merged.value;
    conflicts.push(...merged.conflicts);
  }
  return { value, conflicts };
}

/** The things of a list by their ids; null for any other value, and where an id is missing or there twice. */
function byId(value: unknown): Map<string, unknown> | null {
  if (!Array.isArray(value)) return null;
  const things = new Map<string, unknown>();
  for (const thing of value) {
    if (!isRecord(thing) || typeof thing.id !== 'string' || things.has(thing.id)) return null;
    things.set(thing.id, thing);
  }
  return things;
}

/**
 * Two lists that grew from one, thing by thing; null where they are no such lists, or both put them in another
 * order. A list that is not there is an empty one: documents do not write those.
 */
function mergeListed(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  prefer: 'mine' | 'theirs',
  path: string,
): Merged | null {
  const [was, here, there] = [base, mine, theirs].map((side) => byId(side ?? []));
  if (!was || !here || !there) return null;
  const common = (things: ReadonlyMap<string, unknown>) =>
    [...things.keys()].filter((id) => was.has(id) && here.has(id) && there.has(id));
  const isMoved = (things: ReadonlyMap<string, unknown>) => !equal(common(things), common(was));
  if (isMoved(here) && isMoved(there) && !equal(common(here), common(there))) return null;
  const isGrown = [...there.keys()].some((id) => !was.has(id));
  const isHere = isMoved(here) || !(isMoved(there) || isGrown);
  const [first, second] = isHere ? [here, there] : [there, here];
  const fields = (things: ReadonlyMap<string, unknown>) => Object.fromEntries(things);
  const merged = mergeFields(fields(was), fields(here), fields(there), prefer, path);
  const values = merged.value as Record<string, unknown>;
  const order = new Set([...first.keys(), ...second.keys()]);
  const value = [...order].flatMap((id) => values[id] ?? []);
  const unwritten = [mine, theirs].filter((side) => (side ?? null) === null);
  return { ...merged, value: value.length === 0 && unwritten.length > 0 ? unwritten[0] : value };
}

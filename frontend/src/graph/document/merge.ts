import { equal, isRecord } from './equal.ts';
import { mergeText } from './text/textMerge.ts';

export interface Merged {
  value: unknown;
  /** Paths (`config.prompt`) that both sides changed, each to something else. */
  conflicts: string[];
}

/**
 * Three-way merge of JSON values: what only one side changed is taken from that side, objects field by
 * field, texts word by word, everything else whole. Where both changed the same, `prefer` decides
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

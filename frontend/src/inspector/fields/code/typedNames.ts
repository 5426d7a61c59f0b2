import type { NameInfo } from '../../../graph/schema/names.ts';
import { LONGEST } from './evaluateQuery.ts';

/** A value by its name (`input.cv`, `outputs['x-1']`), or a quoted text, in which nothing is named. */
const NAMED = /"[^"]*"|'[^']*'|[A-Za-z_]\w*(?:\.\w+|\['[^']*'\])*/g;

/** The parts of a text in which values are named, each with its place. */
function parts(language: string, text: string): { from: number; code: string }[] {
  if (language !== 'template') return [{ from: 0, code: text }];
  return text.split('{{').flatMap((piece, index, all) => {
    if (index === 0) return [];
    const from = all.slice(0, index).join('{{').length + 2;
    const end = piece.indexOf('}}');
    return end < 0 ? [] : [{ from, code: piece.slice(0, end) }];
  });
}

const within = (name: string, whole: string) =>
  whole === name || whole.startsWith(`${name}.`) || whole.startsWith(`${name}[`);

/**
 * What must be allowed for the values that a text names and the subject may not read yet. The name at
 * the cursor is left out, as it is still being written; null for a text that was left.
 */
export function typedGrants(
  language: string,
  text: string,
  names: readonly NameInfo[],
  cursor: number | null,
): string[] {
  const locked = names.filter(({ readable, grant }) => !readable && grant !== undefined);
  if (locked.length === 0 || text.length > LONGEST) return [];
  const grants = new Set<string>();
  for (const { from, code } of parts(language, text))
    for (const { 0: named, index } of code.matchAll(NAMED)) {
      const [start, end] = [from + index, from + index + named.length];
      if (cursor !== null && start <= cursor && cursor <= end) continue;
      const known = locked
        .filter(({ name }) => within(name, named))
        .toSorted((a, b) => b.name.length - a.name.length);
      if (known[0]?.grant) grants.add(known[0].grant);
    }
  return [...grants];
}

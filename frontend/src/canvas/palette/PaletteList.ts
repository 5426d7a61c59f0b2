import type { NodeTypeInfo } from '../../api/types/types.ts';

const storageKey = 'graphwright.recent-types';
const RECENT = 4;

/** Types that were used lately on this machine, last first. */
export function recentTypes(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((name): name is string => typeof name === 'string')
      : [];
  } catch {
    return [];
  }
}

export function rememberType(type: string): void {
  try {
    localStorage.setItem(
      storageKey,
      JSON.stringify([type, ...recentTypes().filter((name) => name !== type)].slice(0, RECENT)),
    );
  } catch {
    // Without storage the palette has no recent types.
  }
}

/** The types that fit a search, best first: label before the words people have for it before type name before help text. An empty search keeps the order. */
export function searchTypes(types: readonly NodeTypeInfo[], search: string): NodeTypeInfo[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...types];
  const rank = (type: NodeTypeInfo): number => {
    const known = type.words.join(' ').toLowerCase();
    const fields = [type.label, type.type, type.category, type.help, known].map((text) =>
      text.toLowerCase(),
    );
    if (!words.every((word) => fields.some((field) => field.includes(word)))) return -1;
    const first = words[0] ?? '';
    if (fields[0]?.startsWith(first)) return 7;
    const at = type.words.indexOf(search.trim().toLowerCase());
    if (at >= 0) return 6 - at / 100;
    if (fields[0]?.includes(first)) return 4;
    if (type.words.some((word) => word.startsWith(first))) return 3;
    return fields[1]?.includes(first) ? 2 : 1;
  };
  return types
    .map((type) => ({ type, rank: rank(type) }))
    .filter((entry) => entry.rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map((entry) => entry.type);
}

/** Types by category, in the order of the server. */
export function byCategory(types: readonly NodeTypeInfo[]): [string, NodeTypeInfo[]][] {
  const groups = new Map<string, NodeTypeInfo[]>();
  for (const type of types) {
    const group = groups.get(type.category);
    if (group) group.push(type);
    else groups.set(type.category, [type]);
  }
  return [...groups];
}

/** The first sentence of a type's help. */
export const firstSentence = (help: string) => help.split(/(?<=[.!?])\s/)[0] ?? help;

const TITLE = 80;

/** What is looked for, and after a colon what the new node is called: `agent: Extract`. */
export function titled(search: string): { kind: string; title: string | undefined } {
  const at = search.indexOf(':');
  if (at < 0) return { kind: search, title: undefined };
  const title = search
    .slice(at + 1)
    .trim()
    .slice(0, TITLE);
  return { kind: search.slice(0, at), title: title || undefined };
}

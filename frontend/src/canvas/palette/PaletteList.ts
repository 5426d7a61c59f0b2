import type { NodeTypeInfo } from '../../api/types/types.ts';

const storageKey = 'graphwright.recent-types';
const RECENT = 4;
const MENTIONED = 1;

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

/** What people look for that is no node, by the words they have for it, and where it is. */
const PLACES: readonly (readonly [words: readonly string[], says: string])[] = [
  [
    ['start', 'begin', 'trigger', 'webhook', 'schedule', 'cron'],
    'A webhook or schedule that starts runs: “+ Trigger” above Start',
  ],
  [
    ['retry', 'retries', 'repeat', 'error', 'catch', 'try', 'exception', 'timeout'],
    'Retries and the longest time are set on each node, under “Reliability”. What is done when it fails all the same: a wire from its “failed”',
  ],
  [
    ['variable', 'state', 'store', 'save', 'memory'],
    'Values are kept as fields: name them under “Gives” of an agent or function, and every later node can read them',
  ],
  [
    ['database', 'sql', 'file', 'pdf', 'sheet', 'excel', 'csv', 'google', 'connector'],
    'Databases, files and other systems are reached by tools: connect them under Settings, Tools',
  ],
  [
    ['parallel', 'concurrent'],
    'At once: draw several wires out of one node. With each item of a list: Map',
  ],
  [['note', 'comment', 'sticky'], 'A note on the canvas: press N. A comment on a node: press M'],
];
const WHOLE = 3;

/** Where to go for what no node does. Null for other words; short ones count only whole. */
export function elsewhere(search: string): string | null {
  const word = search.trim().toLowerCase();
  const means = (each: string) => each === word || (word.length > WHOLE && each.startsWith(word));
  return PLACES.find(([words]) => words.some(means))?.[1] ?? null;
}

/**
 * The types that fit a search, best first: label before the words people have for it before type name before help
 * text. An empty search keeps the order. What the help text only mentions is no answer where another place is one.
 */
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
    return fields[1]?.includes(first) ? 2 : MENTIONED;
  };
  const least = elsewhere(search) === null ? 0 : MENTIONED;
  return types
    .map((type) => ({ type, rank: rank(type) }))
    .filter((entry) => entry.rank > least)
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

import { isRecord } from '../document/equal.ts';

/** What a list holds: texts, other plain values such as numbers, or values that have parts. */
export type Items = 'text' | 'plain' | 'parts';

const kinds: Readonly<Record<string, Items>> = {
  string: 'text',
  number: 'plain',
  integer: 'plain',
  boolean: 'plain',
  object: 'parts',
  array: 'parts',
};

/** What a list of this schema holds; undefined where it is none or does not say. */
export function itemsOf(schema: unknown): Items | undefined {
  if (!isRecord(schema) || schema['type'] !== 'array' || !isRecord(schema['items']))
    return undefined;
  return kinds[String(schema['items']['type'])];
}

/** What a list holds that stands as JSON, perhaps cut: told by its first item. */
export function itemsIn(json: string | undefined): Items | undefined {
  const [, first = ''] = /^\s*\[\s*(\S)/.exec(json ?? '') ?? [];
  if (first === '"') return 'text';
  if (first === '{' || first === '[') return 'parts';
  return /[-\dtf]/.test(first) ? 'plain' : undefined;
}

/** An expression that writes a list as one text, with `between` as it stands in quotes between its items. */
export const joined = (name: string, items: Items | undefined, between: string): string =>
  `${name}${items === 'text' ? '' : '.map(item, string(item))'}.join("${between}")`;

interface Named {
  name: string;
  items?: Items;
}

/** What stands between braces, spaces included: one way to match, however long it is. */
const LONE = /\{\{([^{}]*)\}\}/g;

/** The lists that a template names as they are, so that they are written as JSON; none where their items have parts. */
export function listsIn(template: string, names: readonly Named[]): Named[] {
  const lists = new Map(
    names.flatMap((each) =>
      each.items === 'text' || each.items === 'plain' ? [[each.name, each] as const] : [],
    ),
  );
  const named = [...template.matchAll(LONE)].flatMap(
    ([, name = '']) => lists.get(name.trim()) ?? [],
  );
  return [...new Set(named)];
}

/** A template that writes these lists with commas between their items. */
export function withCommas(template: string, lists: readonly Named[]): string {
  const found = new Map(lists.map((each) => [each.name, each]));
  return template.replace(LONE, (whole, name: string) => {
    const list = found.get(name.trim());
    return list ? `{{ ${joined(list.name, list.items, ', ')} }}` : whole;
  });
}

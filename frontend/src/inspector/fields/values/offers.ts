import type { Language } from '../code/CodeField.tsx';
import { itemsIn, joined } from '../../../graph/fields/listText.ts';
import type { KnownValue } from './known.ts';

/** The language of a field that takes values, or a key of memory. */
export type Fit = Exclude<Language, 'json'> | 'key';

/** Another way to put a value in: `text` in place of its name, of which `select` is chosen to be typed over. */
export interface Offer {
  label: string;
  text: string;
  select?: string;
}

const empty: Readonly<Record<string, string>> = {
  number: '0',
  'yes/no': 'false',
  list: '[]',
  group: '{}',
};

/** A value that may be missing, with what stands in for it: `has(memory.a) ? memory.a : ''`. */
export function withFallback(name: string, kind = 'text'): string {
  const instead = empty[kind] ?? "''";
  if (/^\w+\.\w+$/.test(name)) return `has(${name}) ? ${name} : ${instead}`;
  const [, root = name, key = ''] = /^(\w+)\['(.*)'\]$/.exec(name) ?? [];
  return `${root}[?'${key}'].orValue(${instead})`;
}

/** A list as one text: as it is, a template writes it as JSON. */
function asText({ name, items, last, next }: KnownValue): Offer[] {
  const held = items ?? itemsIn(last ?? next);
  if (held === 'parts') return [];
  return [
    { label: 'With commas', text: joined(name, held, ', ') },
    { label: 'A line each', text: joined(name, held, '\\n') },
  ];
}

/** The ways to put a value in, beside its name as it is. */
export function offersOf(info: KnownValue, fit: Fit): Offer[] {
  const { name, kind, maybe, detail } = info;
  if (fit === 'key') return [];
  const path = fit === 'jsonpath';
  const list = kind === 'list' || detail.startsWith('list');
  return [
    ...(maybe && !path ? [{ label: 'Use a fallback', text: withFallback(name, kind) }] : []),
    ...(list
      ? [
          ...(fit === 'template' ? asText(info) : []),
          { label: 'All', text: name },
          { label: 'First', text: `${name}[0]` },
          { label: 'Number …', text: `${name}[1]`, select: '1' },
          path
            ? { label: 'Each', text: `${name}[*]` }
            : { label: 'Each', text: `${name}.map(item, item)`, select: 'item' },
        ]
      : []),
  ];
}

/** A value as a list of keys names it: `level`, `input.cv`, `outputs.x`; null for what needs no key. */
export const keyOf = ({ grant }: KnownValue): string | null => grant ?? null;

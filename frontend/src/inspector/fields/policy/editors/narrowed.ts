import type { Json } from '../../../../api/types/types.ts';
import { isRecord } from '../../../../graph/document/equal.ts';

/** Who alone may edit a field, by key; null for what is none such. */
export type Narrowed = Readonly<Record<string, readonly string[]>>;

/** Read what is stored; null where it says more than people by key. */
export function readNarrowed(value: Json | undefined): Narrowed | null {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) return null;
  const isListed = (entries: unknown): boolean =>
    Array.isArray(entries) && entries.every((entry) => typeof entry === 'string');
  return Object.values(value).every(isListed) ? (value as Narrowed) : null;
}

/** The same with other people for a key; without any it is for everybody who decides. */
export function withEditors(
  narrowed: Narrowed,
  key: string,
  entries: readonly string[],
): Record<string, string[]> | undefined {
  const named = entries.filter((entry) => !entry.startsWith('='));
  const kept = Object.entries(narrowed).map(([name, people]): [string, string[]] => [
    name,
    [...(name === key ? named : people)],
  ]);
  const all = key in narrowed ? kept : [...kept, [key, named] as [string, string[]]];
  const rest = all.filter(([, people]) => people.length > 0);
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

/** The keys that a form shows: those that are editable, then those that are only named. */
export function keysOf(narrowed: Narrowed, editable: Json | undefined): string[] {
  const listed = Array.isArray(editable) ? editable.filter((key) => typeof key === 'string') : [];
  return [...new Set([...listed.filter((key) => key !== '*'), ...Object.keys(narrowed)])];
}

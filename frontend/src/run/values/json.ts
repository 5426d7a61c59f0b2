/** JSON values, and the two operations the run view needs on them: deep merge and a flat diff. */

import type { Json, JsonObject } from '../../api/types/types.ts';
import { visible } from './visible.ts';

export type { Json, JsonObject };

/** A value above 64 KiB: kept outside the log, fetched on demand. */
export interface BlobRef {
  readonly $blob: string;
  readonly bytes: number;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The blob a value stands for, or null when the value is inline. */
export function blobOf(value: Json | undefined): BlobRef | null {
  if (!isObject(value)) return null;
  const { $blob: sha, bytes } = value;
  return typeof sha === 'string'
    ? { $blob: sha, bytes: typeof bytes === 'number' ? bytes : 0 }
    : null;
}

/** Objects merge key by key; arrays and scalars are replaced (row K17). Neither input is changed. */
export function deepMerge(base: Json | undefined, patch: Json): Json {
  if (!isObject(patch) || blobOf(patch) !== null) return patch;
  if (!isObject(base) || blobOf(base) !== null) return patch;
  const out: JsonObject = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    out[key] = key in base ? deepMerge(base[key], value) : value;
  }
  return out;
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => key in b && sameJson(a[key], b[key]))
  );
}

/** One leaf that differs. `before` is undefined where it is new, `after` where it is gone. */
export interface Change {
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The leaves that differ, in the order of `after`; objects are walked, arrays compared whole. */
export function changesBetween(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
): Change[] {
  if (sameJson(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const gone = Object.keys(before).filter((key) => !(key in after));
  return [...Object.keys(after), ...gone].flatMap((key) =>
    changesBetween(before[key], after[key], path === '' ? key : `${path}.${key}`),
  );
}

/** A value as people read it: text as it is, everything else as indented JSON. */
export function readable(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** A value on one line, cut at `limit` characters. */
export function brief(value: Json | undefined, limit = 120): string {
  if (value === undefined) return '';
  if (isEmpty(value)) return 'nothing';
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  const text = visible(written.replace(/\s+/g, ' '));
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Whether a value is there but says nothing: null, `{}`, `[]`. */
export const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** A value on one line as people say it: a plain object as `name value · name value`, the rest as `brief` has it. */
export function inWords(value: Json | undefined, limit = 120): string {
  if (!isObject(value) || blobOf(value) !== null) return brief(value, limit);
  const words = Object.entries(value)
    .map(([name, each]) => `${name.replaceAll('_', ' ')}: ${brief(each, limit)}`)
    .join(' · ');
  return brief(words, limit);
}

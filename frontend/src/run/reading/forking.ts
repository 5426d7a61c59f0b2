/** What a person changes in memory where a run is forked. */

import type { Json, JsonObject } from '../../api/types/types.ts';
import { isObject, sameJson } from '../values/json.ts';

/** The keys to set, null for one to remove; null when the text is no JSON object. Empty: nothing changes. */
export function memoryPatch(before: JsonObject, text: string): JsonObject | null {
  let after: Json;
  try {
    after = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  if (!isObject(after)) return null;
  const now = after;
  const changed = Object.keys(now).filter((key) => !sameJson(before[key], now[key]));
  const gone = Object.keys(before).filter((key) => !(key in now));
  return Object.fromEntries([
    ...changed.map((key) => [key, now[key] ?? null] as const),
    ...gone.map((key) => [key, null] as const),
  ]);
}

/** The start input that was typed: null where it is as it was, undefined where it is no JSON. A text stays a text. */
export function startInput(before: Json, text: string): { value: Json } | null | undefined {
  if (typeof before === 'string') return text === before ? null : { value: text };
  try {
    const value = JSON.parse(text) as Json;
    return sameJson(before, value) ? null : { value };
  } catch {
    return undefined;
  }
}

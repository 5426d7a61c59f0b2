import type { Json } from '../../api/types/types.ts';
import { REORDERS } from '../../run/values/visible.ts';

// Control characters, and those that reorder what is read: none of them is text.
const HIDDEN = new RegExp(
  `[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f${REORDERS}\\u2060-\\u2065\\ufeff]`,
  'g',
);

/** Text of a run as it may be shown: what cannot be seen is left out, everything else stays as it is. */
export const plainText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(HIDDEN, '');

/** The object or list that a text is the JSON of, as a whole; undefined for any other text. */
export function valueIn(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

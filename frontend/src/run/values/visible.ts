/** Characters that reorder what is read: a text with them says something else than it seems to. */

/** Written as in a class of characters; they open and close embeddings, overrides and isolates. */
export const REORDERS = '\\u202a-\\u202e\\u2066-\\u2069';

const REORDERING = new RegExp(`[${REORDERS}]`, 'g');

const code = (character: string) =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}⟩`;

/** Text for reading, in the order in which it is written: what would reorder it is shown instead. */
export const visible = (text: string): string => text.replace(REORDERING, code);

/** Whether a text holds what would reorder it. */
export const isReordered = (text: string): boolean => visible(text) !== text;

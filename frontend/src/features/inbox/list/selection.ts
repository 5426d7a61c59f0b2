/**
 * Which item of the inbox is open, and which one J and K open next. The list changes by itself: items
 * arrive on top, and what is decided leaves. No such change may put another item under a finger that
 * is about to approve.
 */

/** The item that is open where none was chosen, and the address (`?view=…`) that it was found under. */
export interface Opened {
  id: string | null;
  search: string;
}

/** The item that is open where none was chosen: the first one at first sight, and it stays that one. */
export function openedIn(before: Opened, ids: readonly string[], search: string): Opened {
  const top = ids[0] ?? null;
  if (before.search !== search) return { id: top, search };
  return before.id === null && top !== null ? { id: top, search } : before;
}

/** Where a reader is: the open item, and those before and after it when it was last in the list, nearest first. */
export interface Cursor {
  id: string | null;
  before: readonly string[];
  after: readonly string[];
}

export const nowhere: Cursor = { id: null, before: [], after: [] };

/** The cursor at an item. One that has left the list keeps the neighbours that it had there. */
export function cursorAt(id: string | null, ids: readonly string[], last: Cursor): Cursor {
  const at = id === null ? -1 : ids.indexOf(id);
  if (at >= 0) return { id, before: ids.slice(0, at).toReversed(), after: ids.slice(at + 1) };
  return last.id === id ? last : { id, before: [], after: ids };
}

/** The item that a step (1 down, -1 up) leads to; from one that has left the list, the one that took its place. */
export function stepFrom(cursor: Cursor, ids: readonly string[], step: 1 | -1): string | null {
  const at = cursor.id === null ? -1 : ids.indexOf(cursor.id);
  if (at >= 0) return ids[at + step] ?? cursor.id;
  const there = new Set(ids);
  const [ahead, behind] =
    step === 1 ? [cursor.after, cursor.before] : [cursor.before, cursor.after];
  return [...ahead, ...behind, ...ids].find((id) => there.has(id)) ?? null;
}

import type { Problem } from '../api/types/types.ts';

/** A text that stands in a field and cannot be kept in the document as it is. */
export interface Unread {
  graph: string;
  /** The node or wire whose field it is; empty for the workflow itself. */
  at: string;
  path: string;
  label: string;
  text: string;
  /** The field's value as text, to which this is an edit. */
  from: string;
}

export const UNREAD = 'UnreadText';
const kept = new Map<string, Unread>();
const keyOf = ({ graph, at, path }: Pick<Unread, 'graph' | 'at' | 'path'>) =>
  [graph, at, path].join('\n');

/** Keep such a text for whoever comes back to its field. */
export function keepUnread(unread: Unread): void {
  kept.set(keyOf(unread), unread);
}

/** The field can be read again. */
export function forgetUnread(where: Pick<Unread, 'graph' | 'at' | 'path'>): void {
  kept.delete(keyOf(where));
}

/** What was left unread in a field. */
export const unreadAt = (where: Pick<Unread, 'graph' | 'at' | 'path'>) => kept.get(keyOf(where));

/** A problem for each such text in the parts that are still there. */
export function unreadProblems(graph: string, isThere: (at: string) => boolean): Problem[] {
  return [...kept.values()]
    .filter((each) => each.graph === graph && (each.at === '' || isThere(each.at)))
    .map(({ at, path, label }) => ({
      severity: 'error',
      code: UNREAD,
      path,
      message: `${label} is no JSON yet: what is typed there is not part of the workflow.`,
      ...(at === '' ? {} : { node: at }),
    }));
}

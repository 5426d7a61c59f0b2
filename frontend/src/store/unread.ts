import type { Problem } from '../api/types/types.ts';

/** A text that stands in a field and cannot be kept in the document as it is. */
export interface Unread {
  graph: string;
  /** The node or wire whose field it is; empty for the workflow itself. */
  at: string;
  path: string;
  label: string;
  text: string;
}

export const UNREAD = 'UnreadText';
const LEAVE_OUT = 'Leave out what was typed';
/** Texts that outlive a reload, the latest, and how long one may be. */
const KEPT = 20;
const LONGEST = 50_000;
const STORAGE = 'graphwright.unread';

/** What this browser has kept: where it may keep nothing, the page does alone. */
function stored(): [string, Unread][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORAGE) ?? '[]');
    const parts = ['graph', 'at', 'path', 'label', 'text'] as const;
    return (Array.isArray(found) ? (found as Partial<Unread>[]) : []).flatMap((each) =>
      parts.every((part) => typeof each?.[part] === 'string')
        ? [[keyOf(each as Unread), each as Unread]]
        : [],
    );
  } catch {
    return [];
  }
}

let kept: Map<string, Unread> | null = null;
const all = () => (kept ??= new Map(stored()));

function store(): void {
  const short = [...all().values()].filter(({ text }) => text.length <= LONGEST);
  try {
    if (short.length === 0) localStorage.removeItem(STORAGE);
    else localStorage.setItem(STORAGE, JSON.stringify(short.slice(-KEPT)));
  } catch {
    // Storage is full or forbidden: then it is kept while the page is.
  }
}

/** Forget what the page knows, as a reload does. */
export const reloadUnread = (): void => void (kept = null);

const keyOf = ({ graph, at, path }: Pick<Unread, 'graph' | 'at' | 'path'>) =>
  [graph, at, path].join('\n');

/** Keep such a text for whoever comes back to its field in this browser, after a reload too. */
export function keepUnread(unread: Unread): void {
  all().delete(keyOf(unread)); // so that the latest stands last
  all().set(keyOf(unread), unread);
  store();
}

/** The field can be read again. */
export function forgetUnread(where: Pick<Unread, 'graph' | 'at' | 'path'>): void {
  if (all().delete(keyOf(where))) store();
}

/** What was left unread in a field. */
export const unreadAt = (where: Pick<Unread, 'graph' | 'at' | 'path'>) => all().get(keyOf(where));

/** A problem for each such text in the parts that are still there. */
export function unreadProblems(graph: string, isThere: (at: string) => boolean): Problem[] {
  return [...all().values()]
    .filter((each) => each.graph === graph && (each.at === '' || isThere(each.at)))
    .map(({ at, path, label }) => ({
      severity: 'error',
      code: UNREAD,
      path,
      message: `${label} is no JSON yet: what is typed there is not part of the workflow.`,
      fixes: [{ label: LEAVE_OUT, edits: [] }],
      ...(at === '' ? {} : { node: at }),
    }));
}

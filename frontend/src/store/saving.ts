import { ApiError, messageOf, request } from '../api/http/client.ts';
import type { DraftAnswer, DraftConflict, DraftOthers } from '../api/types/types.ts';
import { type Change, diff, type RecordValue, withRecords } from '../graph/document/diff.ts';
import { emptyRecords, freshId, type Records } from '../graph/document/document.ts';
import { isRecord } from '../graph/document/equal.ts';
import {
  conflictsAsRecords,
  disputes,
  mergeTheirs,
  othersAsRecords,
  toPatch,
} from '../graph/document/patch.ts';
import { adopt, provenOf, useEditor } from './editor.ts';

/** How this tab is called in saves and presence. */
export const clientName = freshId('tab-');

const DEBOUNCE_MS = 600;
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000];
const storageKey = (graphId: string) => `graphwright.unsaved.${graphId}`;

let timer: ReturnType<typeof setTimeout> | undefined;
let inFlight: Promise<void> | null = null;
let failures = 0;
/** What was compared last, and what came of it. */
let kept = { graphId: '', base: emptyRecords, records: emptyRecords, changes: [] as Change[] };
/** The graph that was left last, as it was on screen: a save that was under way does not carry all of it. */
let left: { graphId: string; records: Records } | null = null;

/** What leads from one document to the other: kept in this browser until it is saved. */
function keepUnsaved(graphId: string, base: Records, records: Records): Change[] {
  if (kept.graphId === graphId && kept.base === base && kept.records === records)
    return kept.changes;
  const changes = diff(base, records);
  kept = { graphId, base, records, changes };
  try {
    if (changes.length === 0) localStorage.removeItem(storageKey(graphId));
    else localStorage.setItem(storageKey(graphId), JSON.stringify(changes));
  } catch {
    // No room: the unsaved work lives in this tab only, as it does without storage.
  }
  return changes;
}

function unsaved(graphId: string): Change[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(graphId)) ?? '[]');
    return Array.isArray(stored) ? (stored as Change[]) : [];
  } catch {
    return [];
  }
}

/** Records that are `from` but for the given values. */
const sideOf = (from: Records, changes: readonly Change[], side: 'before' | 'after') =>
  withRecords(
    from,
    changes.map(({ kind, id, ...change }) => ({ kind, id, value: change[side] })),
  );

/** Bring back what an earlier visit could not save; what others changed meanwhile is merged or asked about. */
export function recoverUnsaved(): void {
  const { graphId, base, revision } = useEditor.getState();
  const changes = unsaved(graphId);
  if (changes.length === 0) return;
  const was = sideOf(base, changes, 'before');
  const mine = sideOf(base, changes, 'after');
  const theirs = diff(was, base).map(({ kind, id, after }): RecordValue => ({
    kind,
    id,
    value: after,
  }));
  adopt(() => mine, was, revision);
  useEditor.setState({ committed: base });
  takeTheirs(theirs, revision);
}

/** Merge what others did into base and screen; where both changed the same field, ask. */
function takeTheirs(theirs: RecordValue[], revision: number): boolean {
  const { base, records } = useEditor.getState();
  const open = disputes(base, records, theirs);
  if (open.length > 0) {
    useEditor.setState({ conflict: { disputes: open, theirs, revision }, save: 'conflict' });
    return false;
  }
  adopt((current) => mergeTheirs(base, current, theirs), withRecords(base, theirs), revision);
  return true;
}

/** Settle a conflict: by record `kind:id`, keep this person's fields or take the others'. Then save. */
export function resolveConflict(choice: (record: string) => 'mine' | 'theirs'): void {
  const { conflict, base } = useEditor.getState();
  if (!conflict) return;
  const prefer = (kind: string, id: string) => choice(`${kind}:${id}`);
  adopt(
    (current) => mergeTheirs(base, current, conflict.theirs, prefer),
    withRecords(base, conflict.theirs),
    conflict.revision,
  );
  useEditor.setState({ conflict: null, save: 'dirty' });
  void saveNow();
}

/** Take over the answer to a save of `sent`, with what others did since the revision that it named. */
function adoptOthers(answer: DraftAnswer, base: Records, sent: Records): void {
  const theirs = othersAsRecords(base, answer.others);
  const merge = (current: Records) => mergeTheirs(base, current, theirs);
  adopt(merge, withRecords(sent, theirs), answer.revision);
}

/** Merge, ask, or say why. Gives the milliseconds after which to save again, null where nothing helps. */
function refuse(error: unknown): number | null {
  if (!(error instanceof ApiError)) throw error;
  const { conflicts, others, revision } = error.extra;
  if (error.code === 'StaleRevision' && Array.isArray(conflicts) && typeof revision === 'number') {
    const { base } = useEditor.getState();
    const theirs = [
      ...conflictsAsRecords(base, conflicts as DraftConflict[]),
      ...(isRecord(others) ? othersAsRecords(base, others as unknown as DraftOthers) : []),
    ];
    return takeTheirs(theirs, revision) ? 0 : null;
  }
  const away = error.status === 0 || error.status >= 500 || error.status === 429;
  useEditor.setState({ save: away ? 'offline' : 'failed', saveError: messageOf(error) });
  if (!away) return null;
  const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 30_000;
  failures += 1;
  return wait;
}

/** Save what is unsaved now and fetch what others changed. Calls while a save is under way wait for it. */
export async function saveNow(keepalive = false): Promise<void> {
  clearTimeout(timer);
  if (useEditor.getState().conflict) return;
  while (inFlight) await inFlight;
  const { graphId, base, records, revision } = useEditor.getState();
  if (!graphId) return;
  const changes = keepUnsaved(graphId, base, records);
  useEditor.setState({ save: changes.length > 0 ? 'saving' : 'saved' });
  let landed = () => {};
  inFlight = new Promise((resolve) => (landed = resolve));
  let again: number | null = null;
  try {
    const body = { revision, ...toPatch(changes, records), client: clientName };
    const path = `graphs/${graphId}/draft/`;
    const answer = await request<DraftAnswer>('PATCH', path, { body, keepalive });
    if (useEditor.getState().graphId === graphId) {
      const alone = changes.length > 0 && answer.revision === revision + 1;
      if (alone) useEditor.setState({ base: records, revision: answer.revision });
      else adoptOthers(answer, base, records);
      const now = useEditor.getState();
      const unsent = keepUnsaved(graphId, now.base, now.records).length > 0;
      const save = unsent ? 'dirty' : 'saved';
      useEditor.setState({ ...provenOf(answer), save, saveError: '' });
      failures = 0;
      if (unsent) again = DEBOUNCE_MS;
    } else keepUnsaved(graphId, records, left?.graphId === graphId ? left.records : records);
  } catch (error) {
    if (useEditor.getState().graphId === graphId) again = refuse(error);
  } finally {
    inFlight = null;
    landed();
  }
  if (again !== null) timer = setTimeout(() => void saveNow(), again);
}

/** Save every change a moment after it was made, for as long as the editor is open. Gives the function that stops it. */
export function startAutosave(): () => void {
  const stop = useEditor.subscribe((state, before) => {
    if (state.graphId !== before.graphId || state.records === before.records) return;
    const changes = keepUnsaved(state.graphId, state.base, state.records);
    if (changes.length === 0) return;
    if (state.save === 'saved' || state.save === 'failed') useEditor.setState({ save: 'dirty' });
    if (inFlight || state.save === 'offline') return;
    clearTimeout(timer);
    timer = setTimeout(() => void saveNow(), DEBOUNCE_MS);
  });
  const online = () => void saveNow();
  const leave = () => {
    const { graphId, base, records } = useEditor.getState();
    if (graphId && keepUnsaved(graphId, base, records).length > 0) void saveNow(true);
  };
  window.addEventListener('online', online);
  window.addEventListener('pagehide', leave);
  return () => {
    const { graphId, records } = useEditor.getState();
    left = { graphId, records };
    leave();
    stop();
    clearTimeout(timer);
    window.removeEventListener('online', online);
    window.removeEventListener('pagehide', leave);
  };
}

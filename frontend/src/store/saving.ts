import { ApiError, messageOf, request } from '../api/http/client.ts';
import type { DraftAnswer, DraftConflict, DraftOthers } from '../api/types/types.ts';
import { type Change, diff, type RecordValue, withRecords } from '../graph/document/diff.ts';
import { emptyRecords, freshId, type Records } from '../graph/document/document.ts';
import { isRecord } from '../graph/document/equal.ts';
import { conflictsAsRecords, othersAsRecords, toPatch } from '../graph/document/patch.ts';
import { ownBack, settleConflict, standApart, takeTheirs, unheld } from './merging/conflict.ts';
import { adopt, provenOf, type SaveState, useEditor } from './editor.ts';

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

/** Changes that were sent and whose answer never came: the server may have some of them. */
let unanswered: (readonly Change[])[] = [];

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
  if (!takeTheirs(theirs, revision)) useEditor.setState({ save: 'conflict' });
}

/** Settle a conflict: by record `kind:id`, keep this person's fields or take the others'. Then save. */
export function resolveConflict(choice: (record: string) => 'mine' | 'theirs'): void {
  if (!useEditor.getState().conflict) return;
  settleConflict(choice);
  void saveNow();
}

/** What is to be saved now, and keeps in this browser what is not saved yet. */
function due(): Change[] {
  const { graphId, base, records, conflict } = useEditor.getState();
  return unheld(keepUnsaved(graphId, base, records), conflict);
}

/** Merge, let people choose, or say why. Gives the milliseconds after which to save again, null where nothing helps. */
function refuse(error: unknown, sent: Sent): number | null {
  if (!(error instanceof ApiError)) throw error;
  const { conflicts, others, revision } = error.extra;
  if (error.code === 'StaleRevision' && Array.isArray(conflicts) && typeof revision === 'number') {
    const { base } = useEditor.getState();
    const theirs = [
      ...conflictsAsRecords(base, conflicts as DraftConflict[]),
      ...(isRecord(others) ? othersAsRecords(base, others as unknown as DraftOthers) : []),
    ];
    ownBack(theirs, unanswered);
    unanswered = [];
    standApart(theirs);
    if (takeTheirs(theirs, revision) || due().length > 0) return 0;
    useEditor.setState({ save: 'conflict' });
    return null;
  }
  const away = error.status === 0 || error.status >= 500 || error.status === 429;
  useEditor.setState({ save: away ? 'offline' : 'failed', saveError: messageOf(error) });
  if (!away) return null;
  if (sent.changes.length > 0)
    unanswered = [...unanswered.slice(1 - RETRY_MS.length), sent.changes];
  const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 30_000;
  failures += 1;
  return wait;
}

/** A save as it was sent: its changes, and the draft then. `held` where a conflict kept some back. */
interface Sent {
  changes: readonly Change[];
  records: Records;
  held: boolean;
}

/** What the server has once the save is in. */
const reached = (base: Records, { changes, records, held }: Sent): Records =>
  held
    ? withRecords(
        base,
        changes.map(({ kind, id, after }) => ({ kind, id, value: after })),
      )
    : records;

/** Take over the answer to a save, with what others did since the revision that it named. */
function land(answer: DraftAnswer, sent: Sent): void {
  const { base, revision } = useEditor.getState();
  const now = { base: reached(base, sent) };
  const alone = !sent.held && sent.changes.length > 0 && answer.revision === revision + 1;
  if (alone) return useEditor.setState({ ...now, revision: answer.revision });
  useEditor.setState(now);
  const theirs = othersAsRecords(base, answer.others);
  ownBack(theirs, unanswered);
  standApart(theirs);
  takeTheirs(theirs, answer.revision);
}

/** How the draft stands after a save, and whether there is something to save again. */
function standing(): { save: SaveState; unsent: boolean } {
  const unsent = due().length > 0;
  if (useEditor.getState().conflict) return { save: 'conflict', unsent };
  return { save: unsent ? 'dirty' : 'saved', unsent };
}

/** Save what is unsaved now and fetch what others changed. Calls while a save is under way wait for it. */
export async function saveNow(keepalive = false): Promise<void> {
  while (inFlight) await inFlight;
  cancelSave();
  const { graphId, records, conflict } = useEditor.getState();
  if (!graphId) return;
  const changes = due();
  if (keepalive && changes.length === 0) return;
  if (changes.length > 0) useEditor.setState({ save: 'saving' });
  else if (!conflict) useEditor.setState({ save: 'saved' });
  await exchange({ changes, records, held: conflict !== null }, keepalive);
}

/**
 * Fetch what others saved as `revision`, unless it came already, and only then send what is unsaved here:
 * a save that knows less is refused where both wrote in one text.
 */
export async function hearOthers(revision: number): Promise<void> {
  while (inFlight) await inFlight;
  const { graphId, records, revision: known } = useEditor.getState();
  if (graphId && revision > known) await exchange({ changes: [], records, held: true });
}

/** Save after so long, in place of an earlier appointment. */
function saveIn(wait: number): void {
  cancelSave();
  timer = setTimeout(() => void saveNow(), wait);
}

function cancelSave(): void {
  clearTimeout(timer);
  timer = undefined;
}

/** Send changes, or none to ask only; take over the answer, and save again when that is due. */
async function exchange(sent: Sent, keepalive = false): Promise<void> {
  const { graphId, base, revision } = useEditor.getState();
  const { changes, records } = sent;
  let landed = () => {};
  inFlight = new Promise((resolve) => (landed = resolve));
  let again: number | null = null;
  try {
    const body = { revision, ...toPatch(changes, records), client: clientName };
    const path = `graphs/${graphId}/draft/`;
    const answer = await request<DraftAnswer>('PATCH', path, { body, keepalive });
    if (useEditor.getState().graphId === graphId) {
      land(answer, sent);
      unanswered = [];
      const { save, unsent } = standing();
      useEditor.setState({ ...provenOf(answer), save, saveError: '' });
      failures = 0;
      if (unsent && timer === undefined) again = DEBOUNCE_MS;
    } else {
      const after = left?.graphId === graphId ? left.records : records;
      keepUnsaved(graphId, reached(base, sent), after);
    }
  } catch (error) {
    if (useEditor.getState().graphId === graphId) again = refuse(error, sent);
  } finally {
    inFlight = null;
    landed();
  }
  if (again !== null) saveIn(again);
}

/** Save all of the draft. Raises where a choice between two changes is still to be made. */
export async function saveAll(): Promise<void> {
  await saveNow();
  if (useEditor.getState().conflict)
    throw new Error('First choose between your change and theirs: “See both” at the top.');
}

/** Save every change a moment after it was made, for as long as the editor is open. Gives the function that stops it. */
export function startAutosave(): () => void {
  unanswered = [];
  const stop = useEditor.subscribe((state, before) => {
    if (state.graphId !== before.graphId || state.records === before.records) return;
    const changes = keepUnsaved(state.graphId, state.base, state.records);
    if (changes.length === 0) return;
    if (state.save === 'saved' || state.save === 'failed') useEditor.setState({ save: 'dirty' });
    if (inFlight || state.save === 'offline') return;
    saveIn(DEBOUNCE_MS);
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
    cancelSave();
    window.removeEventListener('online', online);
    window.removeEventListener('pagehide', leave);
  };
}

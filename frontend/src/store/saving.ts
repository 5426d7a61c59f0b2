import { api, ApiError, messageOf } from '../api/http/client.ts';
import type { DraftAnswer, DraftConflict, DraftOthers } from '../api/types/types.ts';
import { type Change, diff, type RecordValue, withRecords } from '../graph/document/diff.ts';
import { freshId, type Records } from '../graph/document/document.ts';
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
/** The graph that was left last, as it was on screen: a save that was under way does not carry all of it. */
let left: { graphId: string; records: Records } | null = null;

function keepUnsaved(graphId: string, changes: readonly Change[]): void {
  try {
    if (changes.length === 0) localStorage.removeItem(storageKey(graphId));
    else localStorage.setItem(storageKey(graphId), JSON.stringify(changes));
  } catch {
    // No room: the unsaved work lives in this tab only, as it does without storage.
  }
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

function accept(answer: DraftAnswer, sent: Records): void {
  const old = useEditor.getState().base;
  const theirs = othersAsRecords(old, answer.others);
  adopt((current) => mergeTheirs(old, current, theirs), withRecords(sent, theirs), answer.revision);
  const { graphId, base, records } = useEditor.getState();
  const unsent = diff(base, records);
  keepUnsaved(graphId, unsent);
  useEditor.setState({
    ...provenOf(answer),
    save: unsent.length > 0 ? 'dirty' : 'saved',
    saveError: '',
  });
  failures = 0;
  if (unsent.length > 0) schedule(DEBOUNCE_MS);
}

function refuse(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  const { conflicts, others, revision } = error.extra;
  if (error.code === 'StaleRevision' && Array.isArray(conflicts) && typeof revision === 'number') {
    const { base } = useEditor.getState();
    const theirs = [
      ...conflictsAsRecords(base, conflicts as DraftConflict[]),
      ...(isRecord(others) ? othersAsRecords(base, others as unknown as DraftOthers) : []),
    ];
    if (takeTheirs(theirs, revision)) schedule(0);
    return;
  }
  const away = error.status === 0 || error.status >= 500 || error.status === 429;
  useEditor.setState({ save: away ? 'offline' : 'failed', saveError: messageOf(error) });
  if (!away) return;
  schedule(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 30_000);
  failures += 1;
}

async function send(keepalive: boolean): Promise<void> {
  const { graphId, base, records, revision } = useEditor.getState();
  if (!graphId) return;
  const changes = diff(base, records);
  useEditor.setState({ save: changes.length > 0 ? 'saving' : 'saved' });
  try {
    const body = { revision, ...toPatch(changes, records), client: clientName };
    const answer = await api.patch<DraftAnswer>(`graphs/${graphId}/draft/`, body, { keepalive });
    if (useEditor.getState().graphId === graphId) accept(answer, records);
    else keepUnsaved(graphId, left?.graphId === graphId ? diff(records, left.records) : []);
  } catch (error) {
    if (useEditor.getState().graphId === graphId) refuse(error);
  }
}

/** Save what is unsaved now and fetch what others changed. Calls while a save is under way wait for it. */
export async function saveNow(keepalive = false): Promise<void> {
  clearTimeout(timer);
  if (useEditor.getState().conflict) return;
  while (inFlight) await inFlight;
  inFlight = send(keepalive).finally(() => {
    inFlight = null;
  });
  await inFlight;
}

function schedule(delay: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void saveNow(), delay);
}

/** Save every change a moment after it was made, for as long as the editor is open. Gives the function that stops it. */
export function startAutosave(): () => void {
  const stop = useEditor.subscribe((state, before) => {
    if (state.graphId !== before.graphId || state.records === before.records) return;
    const changes = diff(state.base, state.records);
    keepUnsaved(state.graphId, changes);
    if (changes.length === 0) return;
    if (state.save === 'saved' || state.save === 'failed') useEditor.setState({ save: 'dirty' });
    if (!inFlight && state.save !== 'offline') schedule(DEBOUNCE_MS);
  });
  const online = () => void saveNow();
  const leave = () => {
    const { base, records } = useEditor.getState();
    if (diff(base, records).length > 0) void saveNow(true);
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

import {
  type Change,
  type RecordKind,
  type RecordValue,
  withRecords,
} from '../../graph/document/diff.ts';
import { type Dispute, disputes, mergeTheirs } from '../../graph/document/patch.ts';
import { equal } from '../../graph/document/equal.ts';
import { actsOn, apart } from '../../graph/merging/apart.ts';
import { adopt, type Conflict, selectedEdgeIds, selectedIds, useEditor } from '../editor.ts';
import { goesOnAs } from './identity.ts';

const keyOf = ({ kind, id }: { kind: RecordKind; id: string }) => `${kind}:${id}`;

/** What others left of each record, in the newest word about it. */
const newest = (older: readonly RecordValue[], newer: readonly RecordValue[]): RecordValue[] => [
  ...new Map([...older, ...newer].map((record) => [keyOf(record), record])).values(),
];

/** The records that wait for a choice. Where a node was deleted, its wires and agent wait with it. */
function waiting(open: readonly Dispute[], theirs: readonly RecordValue[]): RecordValue[] {
  if (open.some(({ kind, theirs: now }) => kind === 'node' && now === null)) return [...theirs];
  const keys = new Set(open.map(keyOf));
  return theirs.filter((record) => keys.has(keyOf(record)));
}

/** What comes back of changes that were sent and never answered is no work of others: it is saved. */
export function ownBack(
  theirs: readonly RecordValue[],
  sent: readonly (readonly Change[])[],
): void {
  const changes = sent.flat();
  const own = theirs.filter((record) =>
    changes.some((change) => keyOf(change) === keyOf(record) && equal(change.after, record.value)),
  );
  if (own.length > 0) useEditor.setState(({ base }) => ({ base: withRecords(base, own) }));
}

/**
 * Where others made a node at the same time under the id of a new one here, this one gets another id: they are
 * two. What was done to it so far cannot be taken back then.
 */
export function standApart(theirs: readonly RecordValue[]): void {
  const { base, records, types, reserved, undoStack, revision } = useEditor.getState();
  const { renamed, settle } = apart({ base, mine: records, theirs }, types, reserved);
  if (renamed.size === 0) return;
  const chosen = selectedIds().map((id) => renamed.get(id) ?? id);
  const wires = selectedEdgeIds();
  for (const [id, to] of renamed) goesOnAs(id, to); // somebody may be typing into it
  adopt(settle, base, revision);
  useEditor.setState({
    undoStack: undoStack.filter(({ changes }) => !actsOn(changes, renamed)),
    redoStack: [],
  });
  useEditor.getState().select([...chosen, ...wires]);
}

/**
 * Merge what others did into base and screen. What both changed waits as the conflict, with the newest
 * that others made of it; everything else goes on being saved. Whether nothing waits.
 */
export function takeTheirs(theirs: readonly RecordValue[], revision: number): boolean {
  const { base, records, conflict } = useEditor.getState();
  const all = newest(conflict?.theirs ?? [], theirs);
  const open = disputes(base, records, all);
  const held = open.length > 0 ? waiting(open, all) : [];
  const keys = new Set(held.map(keyOf));
  const free = all.filter((record) => !keys.has(keyOf(record)));
  adopt((current) => mergeTheirs(base, current, free), withRecords(base, free), revision);
  useEditor.setState({ conflict: open.length > 0 ? { disputes: open, theirs: held } : null });
  return open.length === 0;
}

/** The changes that can be saved while a conflict waits: those of other records. */
export function unheld(changes: Change[], conflict: Conflict | null): Change[] {
  if (!conflict) return changes;
  const keys = new Set(conflict.theirs.map(keyOf));
  // notes are saved as one list
  const notes = conflict.theirs.some(({ kind }) => kind === 'note');
  return changes.filter((change) => !keys.has(keyOf(change)) && !(notes && change.kind === 'note'));
}

/** Settle the conflict: by record `kind:id`, keep this person's fields or take the others'. */
export function settleConflict(choice: (record: string) => 'mine' | 'theirs'): void {
  const { conflict, base, revision } = useEditor.getState();
  if (!conflict) return;
  const prefer = (kind: string, id: string) => choice(`${kind}:${id}`);
  adopt(
    (current) => mergeTheirs(base, current, conflict.theirs, prefer),
    withRecords(base, conflict.theirs),
    revision,
  );
  useEditor.setState({ conflict: null, save: 'dirty' });
}

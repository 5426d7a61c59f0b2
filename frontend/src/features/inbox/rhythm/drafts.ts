import { create } from 'zustand';
import type { Interrupt } from '../../../api/types/types.ts';
import { sameJson } from '../../../run/values/json.ts';
import { type AnswerDraft, editsOf, emptyDraft, inputsNow } from '../decide/answer.ts';
import { openDrafts, writeDrafts } from '../../../store/inbox/ownDrafts.ts';
import type { Mode } from '../decide/useDecision.ts';

/** What somebody has written for an item, and in which field: kept when they move on. */
export interface KeptDraft {
  hash: string;
  draft: AnswerDraft;
  mode: Mode;
}

const useKept = create<Record<string, KeptDraft>>(() => ({}));

/** From here on drafts are those of this person, also over a reload. */
export function openDraftsOf(person: string): void {
  const kept = openDrafts(person);
  if (kept !== null) useKept.setState(kept as Record<string, KeptDraft>, true);
}
useKept.subscribe(writeDrafts);

/** The draft of an item with this content; what was written for other content is none. */
export function draftOf({ request_id: id, content_hash: hash }: Interrupt): KeptDraft | null {
  const kept = useKept.getState()[id];
  return kept && kept.hash === (hash ?? '') ? kept : null;
}

/** The same, followed: it changes with what is written and forgotten. */
export function useDraftOf(item: Interrupt | undefined): KeptDraft | null {
  const kept = useKept((all) => (item ? all[item.request_id] : undefined));
  return kept && kept.hash === (item?.content_hash ?? '') ? kept : null;
}

/** Whether this person has edited what an item shows, and not sent it. */
export function isEdited(item: Interrupt): boolean {
  const kept = draftOf(item);
  if (kept === null || item.kind !== 'approval') return false;
  const { edits, problems } = editsOf(item, kept.draft);
  return Object.keys({ ...edits, ...problems }).length > 0;
}

/** Keep what is written, unless it says nothing. */
export function keepDraft(item: Interrupt, draft: AnswerDraft, mode: Mode): void {
  const isEmpty = sameJson({ ...draft, inputs: inputsNow(item, draft) }, { ...emptyDraft(item) });
  const hash = item.content_hash ?? '';
  useKept.setState(
    (before) => ({
      ...without(before, item.request_id),
      ...(isEmpty ? {} : { [item.request_id]: { hash, draft, mode } }),
    }),
    true,
  );
}

export function dropDraft(id: string): void {
  useKept.setState((before) => without(before, id), true);
}

const without = (drafts: Record<string, KeptDraft>, id: string): Record<string, KeptDraft> =>
  Object.fromEntries(Object.entries(drafts).filter(([other]) => other !== id));

/** Whether something is written for an item and not sent. */
export const useHasDraft = (item: Interrupt): boolean =>
  useKept((all) => all[item.request_id]?.hash === (item.content_hash ?? ''));

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../../api/http/client.ts';
import type { Decided, Interrupt, InterruptAnswer } from '../../../api/types/types.ts';
import { useSession } from '../../../api/http/queries.ts';
import { type Conductor, pressOf, useConductor, useRhythm } from '../rhythm/conductor.ts';
import { draftOf, dropDraft, keepDraft } from '../rhythm/drafts.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { otherAt } from './rights/claimed.ts';
import type { Press } from '../rhythm/machine.ts';
import { useWhole } from './fields/whole.ts';
import { useForesight } from '../ahead/queries.ts';
import { type Gesture, editsText, gestureOf, isTyped, typedFor } from './gesture/gesture.ts';
import {
  type AnswerDraft,
  type AnswerProblems,
  type Verb,
  buildAnswer,
  emptyDraft,
  hasEdits,
  withoutReason,
  withReason,
} from './answer.ts';

/** What one does with an item: look, edit, say why (for a rejection, or an approval), or say that one means it. */
export type Mode = 'look' | 'edit' | 'reject' | 'reason' | 'confirm';

/** How it went: decided here, decided by someone else first, or the content moved on. */
export type Outcome =
  | { kind: 'done'; item: Interrupt }
  | { kind: 'lost'; decided: Decided | null; detail: string }
  | { kind: 'changed' };

export interface DecisionControl {
  item: Interrupt;
  draft: AnswerDraft;
  mode: Mode;
  /** What was edited is in sight, and one is not at it: the keys are those of looking. */
  resting: boolean;
  problems: AnswerProblems;
  pending: Verb | null;
  error: unknown;
  outcome: Outcome | null;
  change: (part: Partial<AnswerDraft>) => void;
  setMode: (mode: 'edit' | 'reject', press?: Press) => void;
  /** Back to looking; what is written stays, and stays in sight. */
  leave: () => void;
  discardEdits: () => void;
  /** `meant`: by a gesture that nobody makes by accident. */
  submit: (verb: Verb, press?: Press, meant?: boolean) => void;
  /** What an approval takes beside a key. */
  gesture: Gesture;
  /** The edits as JSON text, empty without any. */
  edits: string;
}

function lostTo(error: unknown): Outcome | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'ContentChanged') return { kind: 'changed' };
  if (error.code !== 'AlreadyDecided' && error.code !== 'InterruptClosed') return null;
  return {
    kind: 'lost',
    decided: (error.extra.decided as Decided | null | undefined) ?? null,
    detail: error.detail,
  };
}

/** The problems a server found, by field of the form. */
function problemsOf(error: unknown): AnswerProblems {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.problems.map((problem) => [problem.path.split('.').at(-1) ?? '', problem.message]),
  );
}

/** What of a decision has to come before it: a gesture, a reason, or nothing. */
function dueFor(
  item: Interrupt,
  verb: Verb,
  mode: Mode,
  { isComplete, isMeant, me }: { isComplete: boolean; isMeant: boolean; me: string | undefined },
): 'nothing' | 'reason' | 'confirm' {
  if (verb === 'reject' && mode !== 'reject') return 'reason';
  if (!isComplete) return 'reason';
  const isAsked = otherAt(item, me) !== null || !isMeant;
  return verb === 'approve' && isAsked && mode !== 'confirm' ? 'confirm' : 'nothing';
}

/** Sends an answer that is not taken back: what it came to is told on the item itself. */
function useAnswer(
  item: Interrupt,
  { onSuccess, onError }: { onSuccess: (item: Interrupt) => void; onError: (error: Error) => void },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ answer }: { verb: Verb; answer: InterruptAnswer }) =>
      api.post<Interrupt>(`interrupts/${item.request_id}/answer/`, answer),
    onSuccess: (decided) => {
      client.setQueryData(['interrupts', 'one', item.request_id], decided);
      onSuccess(decided);
    },
    onError,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['interrupts'] });
      void client.invalidateQueries({ queryKey: ['run', item.run.id] });
    },
  });
}

interface Written {
  /** The item, with the large values that are edited once they are there. */
  item: Interrupt;
  draft: AnswerDraft;
  mode: Mode;
  write: (draft: AnswerDraft, mode: Mode) => void;
  /** Gives whether one is there: what was not looked at is not edited. */
  enter: (mode: Mode, press?: Press) => boolean;
  /** Leave whatever one is at for where the draft is in sight. */
  rest: (draft: AnswerDraft) => void;
}

/** What is written for an item and where; in the inbox it is kept when one moves on. */
function useWritten(given: Interrupt, conductor: Conductor | null): Written {
  const [kept] = useState(() => (conductor === null ? null : draftOf(given)));
  // What was kept by a page of before may lack what a draft has now.
  const [draft, setDraft] = useState(() => ({ ...emptyDraft(given), ...kept?.draft }));
  const [own, setOwn] = useState<Mode>(kept?.mode ?? 'look');
  const phase = useRhythm((state) => (state.cursor === given.request_id ? state.phase : 'look'));
  const mode = phase === 'look' ? own : phase;
  const item = useWhole(given, mode === 'edit');
  return {
    item,
    draft,
    mode,
    write: (next, at) => {
      setDraft(next);
      if (conductor === null) return;
      keepDraft(item, next, at);
      setOwn(at === 'edit' || at === 'reject' ? at : 'look');
    },
    enter: (next, press) => {
      if (conductor === null || next === 'look') setOwn(next);
      if (conductor === null) return true;
      conductor.dispatch(
        next === 'look'
          ? { type: 'leave' }
          : { type: 'phase', to: next, press: press ?? pressOf() },
      );
      return conductor.store.getState().phase === next;
    },
    rest: (next) => {
      const at = hasEdits(item, next) ? 'edit' : 'look';
      conductor?.dispatch({ type: 'leave' });
      setDraft(next);
      setOwn(at);
      if (conductor !== null) keepDraft(item, next, at);
    },
  };
}

/** Everything between opening an item and its decision. Key the caller by the request id. */
export function useDecision(given: Interrupt, onDone?: (item: Interrupt) => void): DecisionControl {
  const conductor = useConductor();
  const me = useSession().data?.user?.id;
  const { item, draft, mode, write, enter, rest } = useWritten(given, conductor);
  const [problems, setProblems] = useState<AnswerProblems>({});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const mutation = useAnswer(item, {
    onSuccess: (decided) => {
      enter('look');
      dropDraft(item.request_id);
      conductor?.dispatch({ type: 'answered', id: item.request_id });
      if (decided.status !== 'open') {
        setOutcome({ kind: 'done', item: decided });
        onDone?.(decided);
      }
    },
    onError: (error) => {
      setProblems(problemsOf(error));
      setOutcome(lostTo(error));
    },
  });
  const resting =
    useRhythm(({ phase }) => phase === 'look') && conductor !== null && mode === 'edit';
  const edits = editsText(item, draft);
  const asks = item.request.policy?.confirm === 'dangerous' && item.can_decide;
  const ahead = useForesight(item, 'approved', edits, asks);
  const gesture = gestureOf(item, ahead.isError ? undefined : ahead.data);
  const submit = (verb: Verb, press: Press = pressOf(), meant = false) => {
    const { answer, problems: found } = buildAnswer(item, verb, draft);
    const isHeld = verb === 'approve' || verb === 'reject';
    if (verb === 'approve' && gesture === 'type' && mode === 'confirm' && !isTyped(item, draft)) {
      setProblems({ typed: `Type ${typedFor(item, draft)} to approve.` });
      return;
    }
    const isMeant = gesture === 'none' || (gesture === 'mean' && meant);
    const due = dueFor(item, verb, mode, { isComplete: answer !== null, isMeant, me });
    const confirmed = gesture === 'type' ? draft.typed.trim() : 'approve';
    if (answer !== null && verb === 'approve' && gesture !== 'none' && due === 'nothing')
      answer.confirmed = confirmed;
    if (conductor === null && due === 'confirm') {
      enter('confirm', press);
      return;
    }
    if (resting && verb === 'approve' && found !== null && !('comment' in found)) {
      // back to the fields that have to be corrected
      if (enter('edit', press)) setProblems(found);
      return;
    }
    if (conductor !== null && isHeld) {
      setProblems(verb === 'reject' && mode !== 'reject' ? {} : (found ?? {}));
      conductor.decide(item, verb, answer, press, due);
      return;
    }
    setProblems(found ?? {});
    if (answer === null || mutation.isPending) return;
    if (conductor !== null && !conductor.allows(item.request_id, press)) return;
    const other = otherAt(item, me);
    if (other === null) mutation.mutate({ verb, answer });
    else
      void confirm({
        title: `${other} is at it`,
        text: 'They claimed it and may be answering now. The first answer counts.',
        confirm: 'Go on anyway',
      }).then((isMeant) => {
        if (isMeant) mutation.mutate({ verb, answer });
      });
  };
  return {
    item,
    draft,
    mode,
    resting,
    problems,
    outcome,
    pending: mutation.isPending ? mutation.variables.verb : null,
    error: mutation.error && lostTo(mutation.error) === null ? mutation.error : null,
    change: (part) => {
      setProblems({});
      write({ ...draft, ...part }, mode);
    },
    setMode: (next, press) => {
      setProblems({});
      if (enter(next, press)) write(next === 'reject' ? withReason(draft) : draft, next);
    },
    leave: () => {
      setProblems({});
      rest({ ...(mode === 'reject' ? withoutReason(item, draft) : draft), typed: '' });
    },
    discardEdits: () => {
      setProblems({});
      rest({ ...draft, inputs: emptyDraft(item).inputs });
    },
    submit,
    gesture,
    edits,
  };
}

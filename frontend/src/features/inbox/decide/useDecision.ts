import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../../api/http/client.ts';
import type { Decided, Interrupt, InterruptAnswer } from '../../../api/types/types.ts';
import {
  type AnswerDraft,
  type AnswerProblems,
  type Verb,
  buildAnswer,
  emptyDraft,
} from './answer.ts';

export type Mode = 'look' | 'edit' | 'reject';

/** How it went: decided here, decided by someone else first, or the content moved on. */
export type Outcome =
  | { kind: 'done'; item: Interrupt }
  | { kind: 'lost'; decided: Decided | null; detail: string }
  | { kind: 'changed' };

export interface DecisionControl {
  item: Interrupt;
  draft: AnswerDraft;
  mode: Mode;
  problems: AnswerProblems;
  pending: Verb | null;
  error: unknown;
  outcome: Outcome | null;
  change: (part: Partial<AnswerDraft>) => void;
  setMode: (mode: Mode) => void;
  submit: (verb: Verb) => void;
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

/** Everything between opening an item and its decision. Key the caller by the request id. */
export function useDecision(item: Interrupt, onDone?: (item: Interrupt) => void): DecisionControl {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => emptyDraft(item));
  const [mode, setMode] = useState<Mode>('look');
  const [problems, setProblems] = useState<AnswerProblems>({});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['interrupts'] });
    void client.invalidateQueries({ queryKey: ['run', item.run.id] });
  };
  const mutation = useMutation({
    mutationFn: ({ answer }: { verb: Verb; answer: InterruptAnswer }) =>
      api.post<Interrupt>(`interrupts/${item.request_id}/answer/`, answer),
    onSuccess: (decided) => {
      client.setQueryData(['interrupts', 'one', item.request_id], decided);
      setMode('look');
      if (decided.status !== 'open') {
        setOutcome({ kind: 'done', item: decided });
        onDone?.(decided);
      }
      refresh();
    },
    onError: (error) => {
      setProblems(problemsOf(error));
      const lost = lostTo(error);
      if (lost) {
        setOutcome(lost);
        refresh();
      }
    },
  });
  return {
    item,
    draft,
    mode,
    problems,
    outcome,
    pending: mutation.isPending ? mutation.variables.verb : null,
    error: mutation.error && lostTo(mutation.error) === null ? mutation.error : null,
    change: (part) => {
      setProblems({});
      setDraft((before) => ({ ...before, ...part }));
    },
    // What is out of sight is never sent: leaving a mode drops what was entered in it.
    setMode: (next) => {
      setProblems({});
      setDraft((before) => ({
        ...before,
        comment: '',
        inputs: next === 'edit' ? before.inputs : emptyDraft(item).inputs,
      }));
      setMode(next);
    },
    submit: (verb) => {
      const built = buildAnswer(item, verb, draft);
      setProblems(built.problems ?? {});
      if (built.answer !== null && !mutation.isPending)
        mutation.mutate({ verb, answer: built.answer });
    },
  };
}

/** The picture of a run as a pure fold over its log: `applyEvent(view, event) → view`. */

import type { JsonObject } from '../values/json.ts';
import { addDecimal } from '../values/decimal.ts';
import { Draft } from './draft.ts';
import { type RunEvent, keyOf } from './events.ts';
import { foldActivation } from './foldActivation.ts';
import { foldPeople } from './foldPeople.ts';
import { foldRecovery } from './foldRecovery.ts';
import { foldStep } from './foldStep.ts';
import { type MemoryRules, type RunStatus, type RunView, emptyView, isTerminal } from './model.ts';
import { noticeOf } from './notices.ts';

/** Return the view after one event. The event must be the one after `view.seq`. */
export function applyEvent(view: RunView, event: RunEvent): RunView {
  return applyEvents(view, [event]);
}

/** Return the view after many events, which stand in order; `view` itself is left as it was. */
export function applyEvents(view: RunView, events: readonly RunEvent[]): RunView {
  if (events.length === 0) return view;
  const draft = new Draft(view);
  for (const event of events) foldEvent(draft, event);
  draft.view.status = statusOf(draft.view);
  return draft.view;
}

/** Return the view at `seq`: the events up to it, folded from the beginning. */
export function foldTo(events: readonly RunEvent[], seq: number, rules?: MemoryRules): RunView {
  return applyEvents(
    emptyView(rules),
    events.filter((event) => event.seq <= seq),
  );
}

function foldEvent(draft: Draft, event: RunEvent): void {
  const at = Date.parse(event.at);
  fold(draft, event, at);
  draft.view.seq = event.seq;
  draft.view.at = at;
  touch(draft, event, at);
  const notice = noticeOf(event, at);
  if (notice !== null) draft.part('notices').push(notice);
}

function touch(draft: Draft, event: RunEvent, at: number): void {
  const key = keyOf(event);
  if (key === undefined || draft.view.activations[key] === undefined) return;
  const activation = draft.activation(key, at);
  if (activation.firstSeq === 0) activation.firstSeq = event.seq;
  activation.lastSeq = event.seq;
}

function fold(draft: Draft, event: RunEvent, at: number): void {
  switch (event.type) {
    case 'RunStarted':
    case 'RunEnding':
    case 'RunCompleted':
    case 'RunFailed':
    case 'RunTimedOut':
    case 'RunCancelled':
    case 'RunTransitioned':
    case 'RunQueued':
    case 'RunAdmitted':
    case 'BudgetThresholdReached':
    case 'BudgetRaised':
    case 'AgentPinned':
    case 'MemoryEdited':
      return foldRun(draft, event, at);
    case 'NodeQueued':
    case 'NodeStarted':
    case 'NodeWaiting':
    case 'NodeCompleted':
    case 'NodeFailed':
    case 'NodeSkipped':
    case 'NodeCancelled':
    case 'NodeInDoubt':
    case 'AttemptFailed':
    case 'EdgeEvaluated':
      return foldActivation(draft, event, at);
    case 'StepIntended':
    case 'StepCompleted':
    case 'StepFailed':
    case 'StepRecorded':
      return foldStep(draft, event, at);
    case 'MessageEmitted':
    case 'StructuredEmitted':
    case 'InterruptOpened':
    case 'InterruptResolved':
    case 'ChildrenRequested':
    case 'ChildRunRequested':
    case 'ChildRunWaiting':
    case 'ChildRunEnded':
    case 'RowShown':
      return foldPeople(draft, event, at);
    case 'CompensationStarted':
    case 'CompensationRun':
    case 'CircuitOpened':
    case 'CircuitClosed':
      return foldRecovery(draft, event, at);
    case 'NodeTimed':
    case 'WriteDropped':
    case 'NodeStateSet':
    case 'WorkflowStateSet':
    case 'TimerFired':
    case 'JoinForced':
    case 'WritesCollided':
    case 'MemoryQueryFailed':
    case 'DecisionRecorded':
    case 'DecisionDropped':
    case 'InterruptReminded':
    case 'InterruptEscalated':
    case 'InterruptAskedBack':
    case 'InterruptAnsweredBack':
      return;
    default:
      // Every known type is handled above; one of a newer server changes nothing here.
      event satisfies never;
  }
}

type RunLevel = Extract<
  RunEvent,
  {
    type:
      | 'RunStarted'
      | 'RunEnding'
      | 'RunCompleted'
      | 'RunFailed'
      | 'RunTimedOut'
      | 'RunCancelled'
      | 'RunTransitioned'
      | 'RunQueued'
      | 'RunAdmitted'
      | 'BudgetThresholdReached'
      | 'BudgetRaised'
      | 'AgentPinned'
      | 'MemoryEdited';
  }
>;

function foldRun(draft: Draft, event: RunLevel, at: number): void {
  const { view } = draft;
  switch (event.type) {
    case 'RunStarted':
      return foldStart(draft, event, at);
    case 'RunEnding':
      view.ending = { status: event.status, reason: event.reason ?? null, by: event.by ?? null };
      view.error = event.error ?? view.error;
      return;
    case 'RunCompleted':
      view.result = event.result;
      return end(draft, 'completed', at);
    case 'RunFailed':
    case 'RunTimedOut':
      view.error = event.error ?? view.error;
      return end(draft, event.type === 'RunFailed' ? 'failed' : 'timeout', at);
    case 'RunCancelled':
      return end(draft, 'cancelled', at);
    case 'BudgetRaised':
      return foldRaise(draft, event);
    case 'AgentPinned':
      draft.part('agents')[event.agent_id] = event.definition;
      return;
    case 'MemoryEdited':
      view.memory = Object.fromEntries(
        Object.entries({ ...view.memory, ...event.set }).filter(
          ([name]) => !event.removed.includes(name),
        ),
      );
      return;
    case 'RunTransitioned':
      view.transition = { graphId: event.graph_id, runId: event.run_id, key: event.key };
      return;
    case 'RunQueued':
    case 'RunAdmitted':
      view.queued = event.type === 'RunQueued';
      return;
    case 'BudgetThresholdReached':
      return;
    default:
      event satisfies never;
  }
}

function foldStart(
  draft: Draft,
  event: Extract<RunEvent, { type: 'RunStarted' }>,
  at: number,
): void {
  Object.assign(draft.view, {
    status: 'running',
    graphId: event.graph_id,
    goal: event.goal ?? null,
    input: event.input,
    startedBy: event.started_by,
    parent: event.parent ?? null,
    limits: event.limits ?? {},
    startedAt: at,
    memory: event.memory ?? {},
    outputs: { ...(event.given?.outputs as JsonObject | undefined) },
  } satisfies Partial<RunView>);
}

function foldRaise(draft: Draft, event: Extract<RunEvent, { type: 'BudgetRaised' }>): void {
  if (!event.budget.startsWith('run')) return;
  const { limits } = draft.view;
  draft.view.limits = {
    ...limits,
    budget_usd: raisedUsd(limits.budget_usd, event.add_usd),
    max_token_budget: raisedTokens(limits.max_token_budget, event.add_tokens),
  };
}

function raisedUsd(
  limit: string | null | undefined,
  add: string | null | undefined,
): string | null {
  return limit === null || limit === undefined ? null : addDecimal(limit, add ?? '0');
}

function raisedTokens(
  limit: number | null | undefined,
  add: number | null | undefined,
): number | null {
  return limit === null || limit === undefined ? null : limit + (add ?? 0);
}

function end(draft: Draft, status: RunStatus, at: number): void {
  draft.view.status = status;
  draft.view.endedAt = at;
}

/** Return what a run is doing: waiting only when nothing but people can move it on. */
function statusOf(view: RunView): RunStatus {
  if (isTerminal(view.status)) return view.status;
  if (view.ending !== null) return 'ending';
  if (view.startedAt === null || view.queued) return 'queued';
  const live = view.live.flatMap((key) => view.activations[key] ?? []);
  const forPeople = live.some((each) => each.status === 'waiting' || each.status === 'in_doubt');
  const busy = live.some(
    (each) =>
      each.status === 'queued' ||
      each.status === 'retrying' ||
      (each.status === 'running' && each.waitingOn !== 'children' && each.waitingOn !== 'run'),
  );
  return forPeople && !busy ? 'waiting' : 'running';
}

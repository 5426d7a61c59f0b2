/** Journaled calls, and the money that they hold and cost. */

import { addDecimal, compareDecimal, subtractDecimal } from '../values/decimal.ts';
import type { Draft } from './draft.ts';
import type { EventOf, Hold } from './events.ts';
import type { ActivationView, Spend, StepView } from './model.ts';

type StepEvent = EventOf<'StepIntended' | 'StepCompleted' | 'StepFailed' | 'StepRecorded'>;
type Outcome = EventOf<'StepCompleted' | 'StepFailed'>;

export function foldStep(draft: Draft, event: StepEvent, at: number): void {
  const activation = draft.activation(event.key, at);
  if (event.type === 'StepIntended') {
    activation.steps = [...activation.steps, intended(event, at)];
    hold(draft, event.key, at, event.hold ?? null);
    return;
  }
  if (event.type === 'StepRecorded') {
    activation.steps = [...activation.steps, recorded(event, at)];
    return;
  }
  conclude(draft, activation, event, at);
}

function conclude(draft: Draft, activation: ActivationView, event: Outcome, at: number): void {
  const index = activation.steps.findLastIndex(
    (step) =>
      step.path === event.path && step.attempt === event.attempt && step.status === 'running',
  );
  const open = activation.steps[index];
  const done = concluded(open ?? intended(event, at), event, at);
  activation.steps =
    open === undefined ? [...activation.steps, done] : activation.steps.with(index, done);
  if (open !== undefined) release(draft, event.key, at, open.hold);
  charge(draft, event, at);
}

function intended(event: EventOf<'StepIntended'> | Outcome, at: number): StepView {
  const isIntent = event.type === 'StepIntended';
  return {
    path: event.path,
    attempt: event.attempt,
    kind: isIntent ? event.kind : event.tool === undefined ? 'model' : 'tool',
    effectClass: isIntent ? (event.effect_class ?? null) : null,
    tool: event.tool ?? null,
    request: isIntent ? event.request : undefined,
    arguments: event.arguments,
    status: 'running',
    presumed: false,
    estimated: false,
    result: undefined,
    error: null,
    usage: undefined,
    costUsd: null,
    tokens: null,
    hold: isIntent ? (event.hold ?? null) : null,
    seq: event.seq,
    startedAt: at,
    endedAt: null,
  };
}

function recorded(event: EventOf<'StepRecorded'>, at: number): StepView {
  return {
    path: event.path,
    attempt: event.attempt,
    kind: event.kind,
    effectClass: null,
    tool: null,
    request: undefined,
    arguments: undefined,
    status: 'completed',
    presumed: false,
    estimated: false,
    result: event.result,
    error: null,
    usage: undefined,
    costUsd: null,
    tokens: null,
    hold: null,
    seq: event.seq,
    startedAt: at,
    endedAt: at,
  };
}

function concluded(step: StepView, event: Outcome, at: number): StepView {
  const failed = event.type === 'StepFailed';
  return {
    ...step,
    status: failed ? 'failed' : 'completed',
    presumed: failed ? (event.presumed ?? false) : false,
    estimated: failed ? (event.estimated ?? false) : false,
    result: failed ? undefined : event.result,
    error: failed ? event.error : null,
    tool: event.tool ?? step.tool,
    arguments: event.arguments ?? step.arguments,
    usage: event.usage,
    costUsd: event.cost_usd ?? null,
    tokens: event.tokens ?? null,
    endedAt: at,
  };
}

function hold(draft: Draft, key: string, at: number, held: Hold | null): void {
  if (held === null) return;
  draft.spend(key, at, (spend) => ({
    ...spend,
    heldUsd: addDecimal(spend.heldUsd, held.usd ?? '0'),
    heldTokens: spend.heldTokens + (held.tokens ?? 0),
  }));
}

function release(draft: Draft, key: string, at: number, held: Hold | null): void {
  if (held === null) return;
  draft.spend(key, at, (spend) => ({
    ...spend,
    heldUsd: notBelowZero(subtractDecimal(spend.heldUsd, held.usd ?? '0')),
    heldTokens: Math.max(0, spend.heldTokens - (held.tokens ?? 0)),
  }));
}

function charge(draft: Draft, event: Outcome, at: number): void {
  const usd = event.cost_usd ?? '0';
  const tokens = event.tokens ?? 0;
  if (compareDecimal(usd, '0') === 0 && tokens === 0) return;
  draft.spend(event.key, at, (spend: Spend) => ({
    ...spend,
    usd: addDecimal(spend.usd, usd),
    tokens: spend.tokens + tokens,
  }));
}

function notBelowZero(usd: string): string {
  return usd.startsWith('-') ? '0' : usd;
}

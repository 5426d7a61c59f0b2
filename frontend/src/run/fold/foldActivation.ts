/** Events that move an activation from status to status. */

import type { Draft } from './draft.ts';
import { type EventOf, ancestorsOf } from './events.ts';
import { refusedAttempt } from './foldRecovery.ts';
import { type Json, changesBetween } from '../values/json.ts';
import { landed } from './memory.ts';
import type { ActivationView, SegmentKind } from './model.ts';

type ActivationEvent = EventOf<
  | 'NodeQueued'
  | 'NodeStarted'
  | 'NodeWaiting'
  | 'NodeCompleted'
  | 'NodeFailed'
  | 'NodeSkipped'
  | 'NodeCancelled'
  | 'NodeInDoubt'
  | 'AttemptFailed'
  | 'EdgeEvaluated'
>;

const WAIT_SEGMENT: Record<EventOf<'NodeWaiting'>['on'], SegmentKind> = {
  interrupt: 'person',
  children: 'children',
  timer: 'timer',
  run: 'run',
};

export function foldActivation(draft: Draft, event: ActivationEvent, at: number): void {
  const activation = draft.activation(event.key, at);
  switch (event.type) {
    case 'NodeQueued':
      adopt(draft, activation, event, at);
      return draft.segment(activation, at, 'queued');
    case 'NodeStarted':
      return start(draft, activation, event, at);
    case 'NodeWaiting':
      return wait(draft, activation, event, at);
    case 'NodeCompleted':
    case 'NodeSkipped':
      return complete(draft, activation, event, at);
    case 'NodeFailed':
      activation.error = event.error;
      refusedAttempt(draft, event);
      light(draft, event.edges);
      if (event.results !== undefined && !isIsolated(draft, event.key)) remember(draft, event, at);
      return settle(draft, activation, 'failed', at);
    case 'NodeCancelled':
      return settle(draft, activation, 'cancelled', at);
    case 'NodeInDoubt':
      draft.segment(activation, at, 'in_doubt');
      return draft.setStatus(activation, 'in_doubt');
    case 'AttemptFailed':
      return retry(draft, activation, event, at);
    case 'EdgeEvaluated':
      draft.part('edgeChecks')[event.edge] = {
        seq: event.seq,
        edge: event.edge,
        value: event.value,
        expression: event.expression,
      };
      return;
    default:
      event satisfies never;
  }
}

/** A child takes its place among those that its parent asked for: its item, and whether its writes stay apart. */
function adopt(
  draft: Draft,
  activation: ActivationView,
  event: EventOf<'NodeQueued' | 'NodeStarted'>,
  at: number,
): void {
  const { parent, path, index } = event;
  if (!parent || index === undefined) return;
  const around = draft.activation(parent, at);
  activation.parent = parent;
  around.children = around.children.map((group) => {
    if (group.path !== path) return group;
    activation.item = group.wanted[index]?.item;
    if (group.isolated) draft.part('isolated')[event.key] = true;
    return { ...group, keys: group.keys.with(index, event.key) };
  });
}

function start(
  draft: Draft,
  activation: ActivationView,
  event: EventOf<'NodeStarted'>,
  at: number,
): void {
  adopt(draft, activation, event, at);
  activation.attempt = event.attempt;
  activation.maxAttempts = event.max_attempts;
  activation.startedAt ??= at;
  activation.waitingOn = null;
  activation.waitingUntil = null;
  activation.retryAt = null;
  activation.waitsFor = null;
  draft.segment(activation, at, 'attempt');
  draft.setStatus(activation, 'running');
}

/** Only waiting for a person is shown as waiting; children, timers and child runs are work under way. */
function wait(
  draft: Draft,
  activation: ActivationView,
  event: EventOf<'NodeWaiting'>,
  at: number,
): void {
  activation.waitingOn = event.on;
  activation.waitingUntil = event.until ?? null;
  draft.segment(activation, at, WAIT_SEGMENT[event.on]);
  if (event.on === 'interrupt') draft.setStatus(activation, 'waiting');
}

function retry(
  draft: Draft,
  activation: ActivationView,
  event: EventOf<'AttemptFailed'>,
  at: number,
): void {
  activation.attempt = event.attempt;
  activation.maxAttempts = event.max_attempts;
  activation.retryAt = event.retry_at ?? null;
  activation.waitsFor = event.waits_for ?? null;
  refusedAttempt(draft, event);
  activation.attemptErrors = [
    ...activation.attemptErrors,
    { attempt: event.attempt, error: event.error },
  ];
  draft.segment(activation, at, 'backoff', true);
  draft.setStatus(activation, 'retrying');
}

function complete(
  draft: Draft,
  activation: ActivationView,
  event: EventOf<'NodeCompleted'> | EventOf<'NodeSkipped'>,
  at: number,
): void {
  const isSkip = event.type === 'NodeSkipped';
  activation.output = event.output;
  const lands = !isIsolated(draft, event.key);
  if (lands && event.output !== undefined) draft.part('outputs')[activation.node] = event.output;
  light(draft, event.edges);
  if (!isSkip) {
    activation.pinned = event.pinned === true;
    activation.condition = event.condition ?? null;
    activation.intent = event.intent ?? null;
    activation.infra = event.infra;
    activation.writes = { ...event.writes, ...event.results };
    if (lands) remember(draft, event, at);
  }
  settle(draft, activation, isSkip ? 'skipped' : 'completed', at);
}

function remember(
  draft: Draft,
  event: Pick<EventOf<'NodeCompleted'>, 'seq' | 'node' | 'key' | 'writes' | 'results'>,
  at: number,
): void {
  const writes = Object.entries(event.writes ?? {});
  const results = Object.entries(event.results ?? {});
  if (writes.length + results.length === 0) return;
  const memory = draft.part('memory');
  const change = (name: string, after: Json) => {
    const before = memory[name];
    memory[name] = after;
    return changesBetween(before, after, name);
  };
  const changes = [
    ...writes.flatMap(([name, value]) =>
      change(name, landed(draft.view.rules, event.node, name, memory[name], value)),
    ),
    ...results.flatMap(([name, value]) => change(name, value)),
  ];
  draft.part('memorySteps').push({ seq: event.seq, at, node: event.node, key: event.key, changes });
}

/** Whether an activation, or one around it, is a child that keeps its writes to itself. */
function isIsolated(draft: Draft, key: string): boolean {
  return [...ancestorsOf(key), key].some((each) => draft.view.isolated[each] === true);
}

function light(draft: Draft, edges: readonly number[] | undefined): void {
  if (edges === undefined || edges.length === 0) return;
  const taken = draft.part('takenEdges');
  for (const edge of edges) taken[edge] = (taken[edge] ?? 0) + 1;
}

function settle(
  draft: Draft,
  activation: ActivationView,
  status: 'completed' | 'failed' | 'skipped' | 'cancelled',
  at: number,
): void {
  activation.endedAt = at;
  activation.waitingOn = null;
  activation.waitingUntil = null;
  activation.retryAt = null;
  activation.waitsFor = null;
  draft.segment(activation, at, null, status === 'failed');
  draft.setStatus(activation, status);
}

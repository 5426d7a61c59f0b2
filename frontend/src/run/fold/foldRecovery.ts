/** What a run did about failures beyond its nodes: undos, and circuits that open, refuse and close. */

import type { Draft } from './draft.ts';
import { type EventOf, undoneBy } from './events.ts';
import { isObject } from '../values/json.ts';
import type { CircuitView, UndoView } from './model.ts';

type RecoveryEvent = EventOf<
  'CompensationStarted' | 'CompensationRun' | 'CircuitOpened' | 'CircuitClosed'
>;

export function foldRecovery(draft: Draft, event: RecoveryEvent, at: number): void {
  switch (event.type) {
    case 'CompensationStarted':
      return undoBegan(draft, event, at);
    case 'CompensationRun':
      return undoEnded(draft, event, at);
    case 'CircuitOpened':
      return circuit(draft, event.node, { state: 'open', target: event.target, probeAt: null });
    case 'CircuitClosed':
      return circuit(draft, event.node, { state: 'closed', target: event.target, probeAt: null });
    default:
      event satisfies never;
  }
}

function undoBegan(draft: Draft, event: EventOf<'CompensationStarted'>, at: number): void {
  const activation = draft.activation(event.key, at);
  activation.attempt = 1;
  activation.startedAt ??= at;
  draft.segment(activation, at, 'attempt');
  draft.setStatus(activation, 'running');
  const undos = draft.part('undos');
  if (undos.some((undo) => undo.key === event.key)) return;
  undos.push(undoOf(event, at));
}

function undoEnded(draft: Draft, event: EventOf<'CompensationRun'>, at: number): void {
  const activation = draft.activation(event.key, at);
  activation.output = event.result;
  activation.error = event.error ?? null;
  activation.endedAt = at;
  draft.segment(activation, at, null, !event.ok);
  draft.setStatus(activation, event.ok ? 'completed' : 'failed');
  const undos = draft.part('undos');
  const known = undos.find((undo) => undo.key === event.key) ?? undoOf(event, at);
  const ended: UndoView = {
    ...known,
    status: event.ok ? 'completed' : 'failed',
    error: event.error ?? null,
    endedAt: at,
  };
  draft.view.undos = [...undos.filter((undo) => undo.key !== event.key), ended];
}

function undoOf(event: EventOf<'CompensationStarted' | 'CompensationRun'>, at: number): UndoView {
  const { key, node, tool, seq } = event;
  return {
    key,
    of: undoneBy(key) ?? key,
    node,
    tool,
    status: 'running',
    error: null,
    seq,
    startedAt: at,
    endedAt: null,
  };
}

function circuit(draft: Draft, node: string, change: Omit<CircuitView, 'refused'>): void {
  const circuits = draft.part('circuits');
  circuits[node] = { refused: circuits[node]?.refused ?? 0, ...change };
}

const REFUSED = 'CircuitOpen';

/** Note an attempt that was not made because the node's circuit is open, perhaps since an earlier run. */
export function refusedAttempt(draft: Draft, event: EventOf<'AttemptFailed' | 'NodeFailed'>): void {
  if (event.error.code !== REFUSED) return;
  const detail = isObject(event.error.detail) ? event.error.detail : {};
  const circuits = draft.part('circuits');
  circuits[event.node] = {
    state: 'open',
    target:
      typeof detail.target === 'string' ? detail.target : (circuits[event.node]?.target ?? ''),
    refused: (circuits[event.node]?.refused ?? 0) + 1,
    probeAt: typeof detail.probe_at === 'number' ? detail.probe_at : null,
  };
}

/** What people of a run see and do: messages, structured output, interrupts; and runs it started. */

import type { Draft } from './draft.ts';
import type { EventOf } from './events.ts';
import { deepMerge } from '../values/json.ts';
import type { ChildRunView } from './model.ts';

type PeopleEvent = EventOf<
  | 'MessageEmitted'
  | 'StructuredEmitted'
  | 'InterruptOpened'
  | 'InterruptResolved'
  | 'ChildrenRequested'
  | 'ChildRunRequested'
  | 'ChildRunWaiting'
  | 'ChildRunEnded'
  | 'RowShown'
>;

export function foldPeople(draft: Draft, event: PeopleEvent, at: number): void {
  switch (event.type) {
    case 'MessageEmitted': {
      const { seq, node, key, content } = event;
      draft.part('messages').push({ seq, at, node, key, content, final: event.final ?? true });
      return;
    }
    case 'StructuredEmitted':
      return structured(draft, event);
    case 'InterruptOpened':
      return opened(draft, event, at);
    case 'InterruptResolved':
      return resolved(draft, event, at);
    case 'ChildrenRequested':
      return asked(draft, event, at);
    case 'ChildRunRequested': {
      const activation = draft.activation(event.key, at);
      const child: ChildRunView = {
        runId: event.run_id,
        graphId: event.graph_id,
        status: null,
        waiting: false,
        result: undefined,
        error: null,
        tokens: null,
        costUsd: null,
      };
      activation.childRuns = [...activation.childRuns, child];
      return;
    }
    case 'ChildRunWaiting':
      childRun(draft, event, at, { waiting: event.waiting });
      return waitWith(draft, event, at);
    case 'ChildRunEnded': {
      const { status, result, error = null, tokens = null, cost_usd: costUsd = null } = event;
      return childRun(draft, event, at, { status, result, error, tokens, costUsd, waiting: false });
    }
    case 'RowShown': {
      const activation = draft.activation(event.key, at);
      activation.rows = [
        ...activation.rows,
        { view: event.view, attempt: event.attempt ?? 1, row: event.row },
      ];
      return;
    }
    default:
      event satisfies never;
  }
}

function asked(draft: Draft, event: EventOf<'ChildrenRequested'>, at: number): void {
  const activation = draft.activation(event.key, at);
  const before = activation.children.find((each) => each.path === event.path);
  const keys = event.children.map((_, index) =>
    event.kept?.includes(index) ? before?.keys[index] : undefined,
  );
  const group = {
    path: event.path,
    isolated: event.isolated ?? false,
    wanted: event.children,
    keys,
  };
  activation.children = [...activation.children.filter((each) => each.path !== event.path), group];
}

function childRun(
  draft: Draft,
  event: EventOf<'ChildRunWaiting' | 'ChildRunEnded'>,
  at: number,
  change: Partial<ChildRunView>,
): void {
  const activation = draft.activation(event.key, at);
  activation.childRuns = activation.childRuns.map((child) =>
    child.runId === event.run_id ? { ...child, ...change } : child,
  );
}

/** Whoever waits for a child run waits for people as long as that does. */
function waitWith(draft: Draft, event: EventOf<'ChildRunWaiting'>, at: number): void {
  const activation = draft.activation(event.key, at);
  if (activation.waitingOn !== 'run') return;
  draft.segment(activation, at, event.waiting ? 'person' : 'run');
  draft.setStatus(activation, event.waiting ? 'waiting' : 'running');
}

/** A null `data_type` merges into the root, as a node's `ui.structured` does (row K23). */
function structured(draft: Draft, event: EventOf<'StructuredEmitted'>): void {
  const { seq, node, mode, data } = event;
  const type = event.data_type ?? null;
  draft.part('structured').push({ seq, node, dataType: type ?? 'generic', mode, data });
  const ui = draft.part('ui');
  if (type === null) draft.view.ui = deepMerge(ui, data) as typeof ui;
  else ui[type] = mode === 'merge' ? deepMerge(ui[type], data) : data;
}

function opened(draft: Draft, event: EventOf<'InterruptOpened'>, at: number): void {
  draft.part('interrupts')[event.request_id] = {
    requestId: event.request_id,
    key: event.key,
    node: event.node,
    kind: event.kind,
    request: event.request,
    openedAt: at,
    expiresAt: event.expires_at ?? null,
    contentHash: event.content_hash ?? null,
    outcome: null,
    answer: undefined,
    decision: null,
    by: null,
    standsFor: null,
    comment: null,
    resolvedAt: null,
  };
  draft.part('openInterrupts').push(event.request_id);
  const activation = draft.activation(event.key, at);
  activation.interrupts = [...activation.interrupts, event.request_id];
  if (event.kind !== 'breakpoint') return;
  activation.waitingOn = 'interrupt';
  draft.segment(activation, at, 'person');
  draft.setStatus(activation, 'waiting');
}

function resolved(draft: Draft, event: EventOf<'InterruptResolved'>, at: number): void {
  const all = draft.part('interrupts');
  const known = all[event.request_id];
  draft.view.openInterrupts = draft.view.openInterrupts.filter((id) => id !== event.request_id);
  if (known === undefined) return;
  all[event.request_id] = {
    ...known,
    outcome: event.outcome,
    answer: event.answer,
    decision: event.decision ?? null,
    by: event.by ?? null,
    standsFor: event.stands_for ?? null,
    comment: event.comment ?? null,
    resolvedAt: at,
  };
  if (known.kind !== 'breakpoint') return;
  const activation = draft.activation(known.key, at);
  activation.waitingOn = null;
  draft.segment(activation, at, 'queued');
  draft.setStatus(activation, 'queued');
}

/** The events of a run's log as they arrive: one flat object each (`docs/events.md`). */

import type { InterruptKind, Json, JsonObject } from '../../api/types/types.ts';
import type { BlobRef } from '../values/json.ts';

interface Base {
  seq: number;
  at: string;
  cause?: string;
}

interface Keyed extends Base {
  node: string;
  key: string;
}

/** A change of a reviewed key, recorded with the decision that made it. */
export interface EditedKey {
  key: string;
  before?: Json;
  after?: Json;
  by: string;
  seq: number;
}

export interface WireError {
  code: string;
  message: string;
  node?: string | null;
  detail?: Json;
}

export interface RunLimits {
  max_iterations?: number | null;
  max_execution_time_ms?: number | null;
  budget_usd?: string | null;
  max_token_budget?: number | null;
}

export type StepKind = 'model' | 'tool' | 'http' | 'memory';
export type WaitingOn = 'interrupt' | 'children' | 'timer' | 'run';

export interface Hold {
  id?: string;
  tokens?: number | null;
  usd?: string | null;
  budgets?: Json;
}

/** Where an activation comes from: tokens, or the place that a parent asked for it. */
interface Origin {
  tokens?: Json;
  parent?: string | null;
  path?: string;
  index?: number;
}

/** One child that an activation asked for. */
export interface WantedChild {
  node: string;
  slot?: number | null;
  item?: Json;
}

interface Priced {
  usage?: Json;
  cost_usd?: string | null;
  tokens?: number | null;
}

export type RunEvent =
  | (Base & {
      type: 'RunStarted';
      graph_id: string;
      graph_hash?: string;
      version?: number | string | null;
      goal?: string | null;
      constraints?: Json;
      input?: Json;
      memory?: JsonObject;
      context?: Json;
      metadata?: JsonObject;
      limits?: RunLimits | null;
      started_by?: Json;
      parent?: { run_id: string; key: string; path: string } | null;
      forked_from?: Json;
      messages?: Json;
    })
  | (Base & {
      type: 'RunEnding';
      status: 'failed' | 'timeout' | 'cancelled' | 'completed';
      reason?: string | null;
      error?: WireError | null;
      by?: string | null;
    })
  | (Base & { type: 'MemoryEdited'; set: JsonObject; removed: string[]; by?: string | null })
  | (Base & { type: 'RunCompleted'; result?: Json; until?: string })
  | (Base & { type: 'RunFailed' | 'RunTimedOut'; reason?: string | null; error?: WireError | null })
  | (Base & { type: 'RunCancelled'; by?: string | null; reason?: string | null })
  | (Keyed & { type: 'RunTransitioned'; graph_id: string; run_id: string; payload?: Json })
  | (Base & {
      type: 'BudgetThresholdReached';
      level: string;
      threshold: number;
      spent_usd?: string | null;
      limit_usd?: string | null;
      spent_tokens?: number | null;
      limit_tokens?: number | null;
    })
  | (Base & {
      type: 'BudgetRaised';
      budget: Json;
      add_usd?: string | null;
      add_tokens?: number | null;
      by?: string | null;
    })
  | (Base & { type: 'AgentPinned'; agent_id: string; definition: Json })
  | (Keyed & Origin & { type: 'NodeQueued' })
  | (Keyed &
      Origin & {
        type: 'NodeStarted';
        attempt: number;
        max_attempts: number;
        epoch?: number;
        resumed?: boolean;
        node_type?: string;
        code?: string;
      })
  | (Keyed & { type: 'NodeTimed'; until: number | null })
  | (Keyed & { type: 'NodeWaiting'; on: WaitingOn; until?: number | null; path?: string })
  | (Keyed & {
      type: 'NodeCompleted';
      output?: Json;
      writes?: JsonObject | null;
      results?: JsonObject | null;
      edges?: number[];
      condition?: string | null;
      intent?: string | null;
      metadata?: JsonObject | null;
      ui?: Json;
      infra?: Json;
      duration_ms?: number;
      attempts?: number;
    })
  | (Keyed & {
      type: 'NodeFailed';
      error: WireError;
      edges?: number[];
      attempts?: number;
      duration_ms?: number;
      results?: JsonObject;
    })
  | (Keyed & { type: 'NodeSkipped'; output?: Json; edges?: number[] })
  | (Keyed & { type: 'NodeCancelled' })
  | (Keyed & { type: 'NodeInDoubt'; reason: string; path?: string; request_id?: string })
  | (Keyed & {
      type: 'AttemptFailed';
      attempt: number;
      max_attempts: number;
      error: WireError;
      retry_at?: number | null;
      waits_for?: 'server' | 'retry_after';
    })
  | (Keyed & {
      type: 'EdgeEvaluated';
      edge: number;
      source: string;
      target: string;
      expression: string;
      value: boolean;
      missing?: Json;
    })
  | (Keyed & { type: 'WriteDropped'; keys: string[]; reason: string })
  | (Keyed & {
      type: 'StepIntended';
      path: string;
      attempt: number;
      kind: StepKind;
      effect_class?: string;
      request_hash?: string;
      request?: Json;
      hold?: Hold | null;
      tool?: string;
      arguments?: Json;
    })
  | (Keyed &
      Priced & {
        type: 'StepCompleted';
        cut?: boolean;
        path: string;
        attempt: number;
        result?: Json;
        tool?: string;
        arguments?: Json;
      })
  | (Keyed &
      Priced & {
        type: 'StepFailed';
        path: string;
        attempt: number;
        error: WireError;
        presumed?: boolean;
        tool?: string;
        arguments?: Json;
      })
  | (Keyed & {
      type: 'StepRecorded';
      path: string;
      attempt: number;
      kind: string;
      request_hash?: string;
      result?: Json;
    })
  | (Keyed & { type: 'MessageEmitted'; content: string; final?: boolean })
  | (Keyed & {
      type: 'StructuredEmitted';
      data_type?: string | null;
      mode: 'snapshot' | 'merge';
      data: Json;
    })
  | (Keyed & { type: 'RowShown'; view: string; row: Json; attempt?: number })
  | (Keyed & { type: 'NodeStateSet' | 'WorkflowStateSet'; name: string; value: Json })
  | (Keyed & {
      type: 'InterruptOpened';
      request_id: string;
      kind: InterruptKind;
      request: JsonObject;
      path?: string;
      expires_at?: number | null;
      content_hash?: string | null;
    })
  | (Keyed & {
      type: 'InterruptResolved';
      request_id: string;
      outcome: 'answered' | 'expired' | 'cancelled' | 'superseded';
      answer?: Json;
      by?: string | null;
      comment?: string | null;
      decision?: string;
      edits?: JsonObject;
      changes?: EditedKey[] | BlobRef;
      prompt?: string;
    })
  | (Keyed & {
      type: 'DecisionRecorded';
      request_id: string;
      by: string;
      decision: 'approved' | 'rejected';
      comment?: string;
      edits?: JsonObject;
      changes?: EditedKey[] | BlobRef;
      prompt?: string;
    })
  | (Keyed & {
      type: 'DecisionDropped';
      request_id: string;
      by: string;
      reason: 'content_changed' | 'not_eligible';
      decided?: number;
    })
  | (Keyed & { type: 'InterruptReminded'; request_id: string; number: number })
  | (Keyed & { type: 'InterruptEscalated'; request_id: string; to: string[] })
  | (Keyed & {
      type: 'ChildrenRequested';
      path: string;
      children: WantedChild[];
      max_concurrency?: number | null;
      fail_fast?: boolean;
      isolated?: boolean;
      kept?: number[];
    })
  | (Keyed & {
      type: 'ChildRunRequested';
      path: string;
      run_id: string;
      graph_id: string;
      input?: Json;
      memory?: Json;
    })
  | (Keyed & { type: 'ChildRunWaiting'; run_id: string; waiting: boolean })
  | (Keyed & {
      type: 'ChildRunEnded';
      path: string;
      run_id: string;
      status: string;
      result?: Json;
      memory?: Json;
      error?: WireError | null;
      tokens?: number | null;
      cost_usd?: string | null;
    })
  | (Base & { type: 'TimerFired'; node?: string; key?: string; timer?: string; kind?: string })
  | (Keyed & { type: 'CompensationStarted'; tool: string; epoch?: number; takeover?: boolean })
  | (Keyed & {
      type: 'CompensationRun';
      tool: string;
      ok: boolean;
      result?: Json;
      error?: WireError | null;
    })
  | (Keyed & { type: 'CircuitOpened' | 'CircuitClosed'; target: string; failures?: number })
  | (Base & { type: 'JoinForced'; node: string; waiting?: Json })
  | (Keyed & { type: 'WritesCollided'; memory_key: string; other: string })
  | (Keyed & { type: 'MemoryQueryFailed'; error: WireError });

export type RunEventType = RunEvent['type'];
export type EventOf<T extends RunEventType> = Extract<RunEvent, { type: T }>;

/** The activation an event is about, where it is about one. */
export function keyOf(event: RunEvent): string | undefined {
  return 'key' in event ? event.key : undefined;
}

/** The node an event is about, where it is about one. */
export function nodeOf(event: RunEvent): string | undefined {
  return 'node' in event ? event.node : undefined;
}

/** `mapper#1/worker[0]#1` → `worker`. */
export function nodeOfKey(key: string): string {
  const last = key.slice(key.lastIndexOf('/') + 1);
  return last.split('#')[0]?.split('[')[0] ?? last;
}

/** The activations that enclose a key, outermost first: `a#1/b#1/c#1` → `a#1`, `a#1/b#1`. */
export function ancestorsOf(key: string): string[] {
  const parts = key.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The activation that an undo undoes: `charge[undo1]#2` → `charge#2`; null for any other key. */
export function undoneBy(key: string): string | null {
  const found = /^(.*)\[undo\d+\](#\d+)$/.exec(key);
  return found ? `${found[1]}${found[2]}` : null;
}

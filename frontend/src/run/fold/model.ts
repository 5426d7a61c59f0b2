/** What a run looks like at one seq: the shape that `view.ts` folds events into. */

import type { ActivationStatus, InterruptKind, RunStatus } from '../../api/types/types.ts';
import type { Hold, RunLimits, WaitingOn, WantedChild, WireError } from './events.ts';
import type { Change, Json, JsonObject } from '../values/json.ts';

export type { ActivationStatus, RunStatus };

/** Money and tokens that were used, and those reserved for calls under way. USD are decimal strings. */
export interface Spend {
  usd: string;
  tokens: number;
  heldUsd: string;
  heldTokens: number;
}

export type SegmentKind =
  'queued' | 'attempt' | 'backoff' | 'person' | 'children' | 'timer' | 'run' | 'in_doubt';

/** A stretch of an activation's time, in milliseconds since the epoch; `to` is null while it lasts. */
export interface Segment {
  kind: SegmentKind;
  from: number;
  to: number | null;
  attempt: number | null;
  failed: boolean;
}

/** One journaled call inside an activation. */
export interface StepView {
  path: string;
  attempt: number;
  kind: string;
  effectClass: string | null;
  tool: string | null;
  request: Json | undefined;
  arguments: Json | undefined;
  status: 'running' | 'completed' | 'failed';
  presumed: boolean;
  /** Whether its cost is what can have been generated until it was stopped. */
  estimated: boolean;
  result: Json | undefined;
  error: WireError | null;
  usage: Json | undefined;
  costUsd: string | null;
  tokens: number | null;
  hold: Hold | null;
  seq: number;
  startedAt: number;
  endedAt: number | null;
}

/** Children that one call of an activation asked for; `keys` has those that began, by their place. */
export interface ChildGroup {
  path: string;
  isolated: boolean;
  wanted: readonly WantedChild[];
  keys: readonly (string | undefined)[];
}

/** One row of a view that the node's type declares. */
export interface ShownRow {
  view: string;
  attempt: number;
  row: Json;
}

export interface ChildRunView {
  runId: string;
  graphId: string;
  /** How it ended; null while it runs. */
  status: string | null;
  waiting: boolean;
  result: Json | undefined;
  error: WireError | null;
  tokens: number | null;
  costUsd: string | null;
}

/** One undo of a completed activation. */
export interface UndoView {
  key: string;
  /** The activation that is undone. */
  of: string;
  node: string;
  tool: string;
  status: 'running' | 'completed' | 'failed';
  error: WireError | null;
  seq: number;
  startedAt: number;
  endedAt: number | null;
}

/** A node's circuit as this run saw it. `open` also where an earlier run opened it. */
export interface CircuitView {
  state: 'open' | 'closed';
  target: string;
  /** Attempts of this run that were not made. */
  refused: number;
  probeAt: number | null;
}

export interface ActivationView {
  key: string;
  node: string;
  visit: number;
  parent: string | null;
  item: Json | undefined;
  status: ActivationStatus;
  waitingOn: WaitingOn | null;
  waitingUntil: number | null;
  attempt: number;
  maxAttempts: number;
  retryAt: number | null;
  /** What the next attempt waits for beside its back-off. */
  waitsFor: 'server' | 'retry_after' | null;
  queuedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  segments: Segment[];
  steps: StepView[];
  spend: Spend;
  output: Json | undefined;
  /** Whether a pinned result stood in for the node, which was not run. */
  pinned: boolean;
  writes: JsonObject | null;
  condition: string | null;
  intent: string | null;
  infra: Json | undefined;
  error: WireError | null;
  attemptErrors: { attempt: number; error: WireError }[];
  interrupts: string[];
  childRuns: ChildRunView[];
  children: readonly ChildGroup[];
  rows: readonly ShownRow[];
  firstSeq: number;
  lastSeq: number;
}

/** All activations of a node as one: what its card on the canvas shows. */
export interface NodeView {
  id: string;
  status: ActivationStatus;
  visits: number;
  counts: Partial<Record<ActivationStatus, number>>;
  latest: string;
  keys: string[];
  spend: Spend;
}

export interface InterruptView {
  requestId: string;
  key: string;
  node: string;
  kind: InterruptKind | 'breakpoint';
  request: JsonObject;
  openedAt: number;
  expiresAt: number | null;
  contentHash: string | null;
  outcome: 'answered' | 'expired' | 'cancelled' | 'superseded' | null;
  answer: Json | undefined;
  /** What was said, where it is one word of a few. */
  decision: string | null;
  by: string | null;
  /** The absent in whose place it was said. */
  standsFor: string | null;
  comment: string | null;
  resolvedAt: number | null;
}

export interface MessageView {
  seq: number;
  at: number;
  node: string;
  key: string;
  content: string;
  final: boolean;
}

export interface StructuredView {
  seq: number;
  node: string;
  dataType: string;
  mode: 'snapshot' | 'merge';
  data: Json;
}

/** What one event changed in memory, leaf by leaf. */
export interface MemoryStep {
  seq: number;
  at: number;
  node: string;
  key: string;
  changes: Change[];
}

/** Something a person should know that is not a node's own state. */
export interface Notice {
  seq: number;
  at: number;
  tone: 'info' | 'warning' | 'danger';
  text: string;
  node: string | null;
}

export interface EdgeCheck {
  seq: number;
  edge: number;
  value: boolean;
  expression: string;
}

/** How writes land in memory: what the run's document says beyond the deep merge that is the rule. */
export interface MemoryRules {
  /** Nodes whose writes replace whole values. */
  replacing: ReadonlySet<string>;
  /** The reducer of a memory key, by its name in the state schema. */
  reducers: Readonly<Record<string, string>>;
}

export const PLAIN_RULES: MemoryRules = { replacing: new Set(), reducers: {} };

export interface RunView {
  rules: MemoryRules;
  /** Children that write nothing into the run's memory. */
  isolated: Record<string, true>;
  seq: number;
  at: number | null;
  status: RunStatus;
  graphId: string | null;
  goal: string | null;
  input: Json | undefined;
  startedBy: Json | undefined;
  parent: { run_id: string; key: string; path: string } | null;
  limits: Partial<RunLimits>;
  startedAt: number | null;
  endedAt: number | null;
  /** Whether it stands until it has a place among the runs of its workspace. */
  queued: boolean;
  ending: {
    status: 'failed' | 'timeout' | 'cancelled' | 'completed';
    reason: string | null;
    by: string | null;
  } | null;
  error: WireError | null;
  result: Json | undefined;
  spend: Spend;
  activations: Record<string, ActivationView>;
  order: string[];
  live: string[];
  nodes: Record<string, NodeView>;
  takenEdges: Record<number, number>;
  edgeChecks: Record<number, EdgeCheck>;
  interrupts: Record<string, InterruptView>;
  openInterrupts: string[];
  memory: JsonObject;
  outputs: JsonObject;
  memorySteps: MemoryStep[];
  messages: MessageView[];
  structured: StructuredView[];
  ui: JsonObject;
  notices: Notice[];
  agents: Record<string, Json>;
  /** Undos in the order in which they began. */
  undos: UndoView[];
  circuits: Record<string, CircuitView>;
  /** The run that this one handed over to. */
  transition: { graphId: string; runId: string; key: string } | null;
}

export const NO_SPEND: Spend = { usd: '0', tokens: 0, heldUsd: '0', heldTokens: 0 };

/** The view of a run whose log has not been read yet. */
export function emptyView(rules: MemoryRules = PLAIN_RULES): RunView {
  return {
    rules,
    isolated: {},
    seq: 0,
    at: null,
    status: 'queued',
    graphId: null,
    goal: null,
    input: undefined,
    startedBy: undefined,
    parent: null,
    limits: {},
    startedAt: null,
    endedAt: null,
    queued: false,
    ending: null,
    error: null,
    result: undefined,
    spend: NO_SPEND,
    activations: {},
    order: [],
    live: [],
    nodes: {},
    takenEdges: {},
    edgeChecks: {},
    interrupts: {},
    openInterrupts: [],
    memory: {},
    outputs: {},
    memorySteps: [],
    messages: [],
    structured: [],
    ui: {},
    notices: [],
    agents: {},
    undos: [],
    circuits: {},
    transition: null,
  };
}

const TERMINAL: ReadonlySet<RunStatus> = new Set<RunStatus>([
  'completed',
  'failed',
  'cancelled',
  'timeout',
]);
const SETTLED: ReadonlySet<ActivationStatus> = new Set<ActivationStatus>([
  'completed',
  'failed',
  'skipped',
  'cancelled',
]);

export function isTerminal(status: RunStatus): boolean {
  return TERMINAL.has(status);
}

/** Whether an activation will not change any more. */
export function isSettled(status: ActivationStatus): boolean {
  return SETTLED.has(status);
}

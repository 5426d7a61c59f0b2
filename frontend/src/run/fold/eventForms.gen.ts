/**
 * What each event of a run's log carries, as it arrives: one flat object each (`docs/events.md`).
 *
 * Written by `python -m engine.cli.event_forms`; a test holds it to `engine/core/state/event_types`.
 */

import type { Json, JsonObject } from '../../api/types/types.ts';
import type { BlobRef } from '../values/json.ts';

/** Any event. */
export interface Recorded {
  /** The place in the log, from 1 without a gap. */
  seq: number;
  /** When it was recorded: RFC 3339, in UTC. */
  at: string;
  /** What its transition was made for, on the first event of that: a cause moves a run once. */
  cause?: string;
}

/** An event of the run itself: it has no key. */
export type OfRun = Recorded;

/** An event of one activation, named by its key. */
export interface OfActivation extends Recorded {
  /** The node that it is about. */
  node: string;
  /** The activation that it is about. */
  key: string;
}

/** An event of an activation or of the run: it may have a key. */
export interface OfEither extends Recorded {
  /** The node that it is about, if it is about one. */
  node?: string;
  /** The activation that it is about, if it is about one. */
  key?: string;
}

/** An event of one call that an activation makes. */
export interface OfStep extends OfActivation {
  /** The place of the call in the node's code, the same in every replay. */
  path: string;
  /** The attempt of the activation, from 1. */
  attempt: number;
}

/** Said by a node's code, once: a replay finds it by its path. */
export interface Emitted extends OfActivation {
  /** The place in the node's code and what was said there; absent where the engine says it. */
  path?: string;
  /** The attempt that said it. */
  attempt?: number;
  /** The hash of what was said. */
  request_hash?: string;
  /** How the journal names it. */
  kind?: 'emit';
}

/** Why something failed. */
export interface EventError {
  /** A stable name: `ProviderUnavailable`, `OutcomeUnknown`, … */
  code: string;
  /** What happened, for people. */
  message: string;
  /** The node where it happened, where that is known. */
  node?: string | null;
  /** More, by code. */
  detail?: Json;
}

/** What a run may use, null where nothing is set. */
export interface RunLimits {
  /** Activations of top-level nodes. */
  max_iterations: number;
  /** Milliseconds, without the time it waits for people. */
  max_execution_time_ms: number | null;
  /** USD, as decimal text. */
  budget_usd: string | null;
  /** Tokens, in and out. */
  max_token_budget: number | null;
}

/** The run and the call that a run was started by. */
export interface ParentRef {
  /** The run. */
  run_id: string;
  /** Its activation. */
  key: string;
  /** The step of that. */
  path: string;
  /** `subgraph`, or `transition` for a run that goes on for another. */
  kind: string;
  /** How many runs are around this one. */
  depth: number;
  /** How many handed over before it. */
  transitions: number;
  /** What its calls are charged to as well. */
  budgets: Json[];
  /** The graphs around it, so that none runs itself. */
  graphs: string[];
  /** The graphs whose budgets pay too. */
  charged: string[];
  /** The trigger whose budgets pay too: it started the outermost run. */
  trigger?: string;
}

/** A place in the log of a run. */
export interface SeqRef {
  /** The run. */
  run_id: string;
  /** The event. */
  seq: number;
}

/** Money and tokens set aside for a call under way. */
export interface Held {
  /** The hold; the outcome of the call names it. */
  id: string;
  /** The most tokens it may take. */
  tokens: number;
  /** The most USD it may cost, as decimal text. */
  usd: string;
  /** The budgets it is held on. */
  budgets: string[];
}

/** What an approval needs where one decision is not enough. */
export interface QuorumRule {
  /** `all` or `at_least`. */
  rule: string;
  /** Who fills each: `*` anybody eligible, else an entry of the policy or `user:<id>`. */
  seats: string[];
}

/** One node that a parent asked for. */
export interface WantedChild {
  /** The node. */
  node: string;
  /** Its number among the workers. */
  slot?: number | null;
  /** What it works on. */
  item?: Json;
  /** What it gets as `previous`, where that is not the parent's. */
  previous?: Json;
  /** Whether an agent of a swarm handed over to it. */
  handoff?: boolean;
  /** Whether its failure leaves the others be. */
  graceful?: boolean;
}

/** A change of a reviewed key, recorded with the decision that made it. */
export interface EditedKey {
  /** The key of memory. */
  key: string;
  /** What it held; absent where it was not there. */
  before?: Json;
  /** What it holds now; absent where it was removed. */
  after?: Json;
  /** Who changed it. */
  by: string;
  /** The event that recorded it first. */
  seq: number;
}

/** Where an activation comes from: tokens, or the place at which a parent asked for it. */
export interface Origin {
  /** The tokens that it consumes. */
  tokens?: number[];
  /** The activation that asked for it. */
  parent?: string;
  /** The step of the parent. */
  path?: string;
  /** Which of the children that were asked for there. */
  index?: number;
}

/** Which attempt failed, and when the next one is due. */
export interface NextAttempt {
  /** Its number. */
  attempt: number;
  /** How many there may be. */
  max_attempts: number;
  /** When the next one is due, in milliseconds since the epoch. */
  retry_at: number;
  /** What it waits for beside its back-off. */
  waits_for?: 'server' | 'retry_after';
  /** Whether the provider said when to ask again, so that the failed attempt does not count. */
  uncounted?: boolean;
}

/** What people are shown of a call, by its kind. */
export interface CallShown {
  /** Of a tool call: the tool. */
  tool?: string;
  /** Of a tool call: its arguments. */
  arguments?: JsonObject;
  /** Of a model call: the agent, null without one. */
  agent?: string | null;
  /** Of a model call: the model. */
  model?: string;
  /** Of a model call: true where no price is known. */
  unpriced?: boolean;
  /** Of a model call: the name of the frame around its prompt. */
  frame?: string;
  /** Of a model call: the hash of that frame. */
  frame_hash?: string;
  /** Of a model call in a search: `candidate` or `evaluator`. */
  role?: string;
  /** Of a model call in a search: the generation, from 0. */
  generation?: number;
  /** Of a model call in a search: which candidate of it. */
  candidate?: number;
}

/** What a call cost, where it cost anything. */
export interface Spent {
  /** The hold that it settles. */
  hold?: string | null;
  /** Tokens, in and out. */
  tokens?: number;
  /** USD, as decimal text. */
  cost_usd?: string;
  /** What the provider counted. */
  usage?: JsonObject;
  /** Whether nobody knows what it cost: all that was held counts, if it is not `estimated`. */
  presumed?: boolean;
  /** Whether it was stopped as its answer came: what can have been generated by then counts. */
  estimated?: boolean;
}

/** What an interrupt is opened with beside its request. */
export interface Asked {
  /** The hash of the request: a replay that asks for something else is refused. */
  request_hash: string;
  /** Of an approval: the hash of what is reviewed. */
  content_hash?: string;
  /** Of an approval: the keys of memory that are reviewed. */
  review_keys?: string[];
  /** Of an approval: who may decide, expressions computed; absent: by role. */
  eligible?: string[];
  /** Of an approval: whose decisions it takes; absent: one is enough. */
  quorum?: QuorumRule;
}

/** What approvers changed of what they reviewed. */
export interface Changed {
  /** All edits so far: keys and their new values. */
  edits?: JsonObject;
  /** The hash of what was decided on, edits included. */
  content_hash?: string | null;
  /** Every change so far, the oldest first, at most eight of a key. */
  changes?: EditedKey[] | BlobRef;
  /** The message written anew over the edits. */
  prompt?: string;
}

/** What a person said with a decision. */
export interface Said {
  /** Their comment. */
  comment?: string;
  /** The door: `page`, `token` or `chat`. */
  via?: string;
  /** The absent person in whose place it was said. */
  stands_for?: string;
}

/** What an approval covers. */
export interface Covered {
  /** Of an approval: the digest of each key that it covers. */
  reviewed?: JsonObject;
  /** Of an approval: its name, else its activation. */
  approval?: string;
}

/** How an interrupt ended. */
export interface Resolution extends Changed, Said, Covered {
  /** Of a call of an agent that was refused: what the agent reads in place of its result. */
  told?: string;
  /** How it ended. */
  outcome: 'answered' | 'expired' | 'cancelled' | 'superseded';
  /** The answer that the node gets. */
  answer?: Json;
  /** The answer as it was sent, where the values of options differ. */
  given?: Json;
  /** Of an approval, a budget or a doubt: what was decided. */
  decision?: string;
  /** Who decided. */
  by?: string;
}

/** The run begins: everything it was asked for, checked. */
export interface RunStarted extends OfRun {
  type: 'RunStarted';
  /** The workflow. */
  graph_id: string;
  /** The hash of the document that it runs. */
  graph_hash: string;
  /** The published version, null for a draft or a file. */
  version_id: string | null;
  /** Whose it is, null outside a workspace. */
  workspace_id: string | null;
  /** The goal, its own or the document's. */
  goal: string;
  /** The constraints, its own or the document's. */
  constraints: Json[];
  /** What it was given; absent where it was given nothing. */
  input?: Json;
  /** The memory that it begins with. */
  memory: JsonObject;
  /** Facts around the run that expressions may read. */
  context: JsonObject;
  /** Texts that flow along the edges. */
  metadata: JsonObject;
  /** What it may use. */
  limits: RunLimits;
  /** Who started it, null where nobody is known. */
  started_by: Json;
  /** The stored trigger that started it. */
  trigger?: string;
  /** What a call of a model without a known price is treated as; null: as the installation says. */
  unknown_price: string | null;
  /** The people of each role. */
  people: JsonObject;
  /** The run that started it, null for a run of its own. */
  parent: ParentRef | null;
  /** Where it was forked. */
  forked_from?: SeqRef | null;
  /** The conversation so far. */
  messages: Json[];
  /** Whether a result without a message becomes one. */
  chat?: boolean;
  /** The node after which nothing more is started. */
  until?: string;
  /** Of a test run: the one node that is run. */
  only?: string;
  /** With `only`: `{outputs, previous}` that the node finds. */
  given?: JsonObject;
  /** Of a test run: what stands in for nodes, by id: `{output, writes?, results?, …}`. */
  pins?: JsonObject;
  /** Of a test run: the nodes before which it stands until its starter goes on. */
  breakpoints?: string[];
  /** Whether it goes on for a run that failed. */
  retry?: boolean;
}

/** As many runs of its workspace move as may: it stands until one of their places is free. */
export interface RunQueued extends OfRun {
  type: 'RunQueued';
}

/** It has a place among the runs of its workspace, and moves. */
export interface RunAdmitted extends OfRun {
  type: 'RunAdmitted';
}

/** The end is decided: nothing new is started, what is in hand may finish. */
export interface RunEnding extends OfRun {
  type: 'RunEnding';
  /** As what it will end; completed where it was to stop. */
  status: 'failed' | 'timeout' | 'cancelled' | 'completed';
  /** A word for why: `failed`, `rejected`, `timeout`, `cancelled`, `until`, … */
  reason: string;
  /** The error that ends it. */
  error: EventError | null;
  /** Until when what is in hand may finish, in milliseconds since the epoch. */
  grace_until: number;
  /** Who ended it. */
  by?: string | null;
}

/** The run is over and has a result. */
export interface RunCompleted extends OfRun {
  type: 'RunCompleted';
  /** The result. */
  result: Json;
  /** The node after which it stopped, as was asked. */
  until?: string;
}

/** The run is over: something failed for good. */
export interface RunFailed extends OfRun {
  type: 'RunFailed';
  /** As in `RunEnding`. */
  reason: string;
  /** As in `RunEnding`. */
  error: EventError | null;
}

/** The run is over: its time had passed. */
export interface RunTimedOut extends OfRun {
  type: 'RunTimedOut';
  /** As in `RunEnding`. */
  reason: string;
  /** As in `RunEnding`. */
  error: EventError | null;
}

/** The run is over: somebody cancelled it. */
export interface RunCancelled extends OfRun {
  type: 'RunCancelled';
  /** As in `RunEnding`. */
  reason: string;
  /** Who cancelled it. */
  by: string | null;
}

/** A node handed over to another workflow: a run of that goes on. */
export interface RunTransitioned extends OfActivation {
  type: 'RunTransitioned';
  /** The other workflow. */
  graph_id: string;
  /** The run that goes on. */
  run_id: string;
  /** What it is given. */
  payload: JsonObject;
}

/** Spending has passed a part of a budget; said once for each. */
export interface BudgetThresholdReached extends OfRun {
  type: 'BudgetThresholdReached';
  /** The budget, with its period where it has one: `workspace:<id>:2026-11-22`. */
  budget: string;
  /** Whose it is: `run`, `graph` or `workspace`. */
  level: string;
  /** Percent: 50, 75, 90 or 100. */
  threshold: number;
  /** USD spent, as decimal text. */
  spent_usd: string;
  /** The limit in USD, as decimal text. */
  limit_usd: string | null;
  /** Tokens spent. */
  spent_tokens: number;
  /** The limit in tokens. */
  limit_tokens: number | null;
}

/** A person allowed more, as the answer to a question about a budget. */
export interface BudgetRaised extends OfActivation {
  type: 'BudgetRaised';
  /** `run:<run>`, `node:<run>:<key>`, `graph:<id>:<period>`, … */
  budget: string;
  /** USD more, as decimal text. */
  add_usd: string;
  /** Tokens more. */
  add_tokens: number;
  /** Who raised it. */
  by: string;
}

/** An agent was used for the first time: the run keeps it as it is to its end. */
export interface AgentPinned extends OfRun {
  type: 'AgentPinned';
  /** The agent. */
  agent_id: string;
  /** The agent as it is used. */
  definition: JsonObject;
}

/** A person changed memory where the run was forked. */
export interface MemoryEdited extends OfRun {
  type: 'MemoryEdited';
  /** Keys and their new values. */
  set: JsonObject;
  /** Keys that are gone. */
  removed: string[];
  /** Who changed it. */
  by: string | null;
}

/** A join runs without branches that wait for each other. */
export interface JoinForced extends OfRun {
  type: 'JoinForced';
  /** The node. */
  node: string;
  /** How many tokens it has. */
  waiting: number;
}

/** An activation begins and is not claimed yet. */
export interface NodeQueued extends Origin, OfActivation {
  type: 'NodeQueued';
  /** The node. */
  node: string;
}

/** An attempt begins, or a suspended one goes on; the first one begins the activation. */
export interface NodeStarted extends Origin, OfActivation {
  type: 'NodeStarted';
  /** The number of the attempt, from 1. */
  attempt: number;
  /** How many there may be. */
  max_attempts: number;
  /** The lease: who writes under an older one is refused. */
  epoch: number;
  /** The type of the node. */
  node_type: string;
  /** The hash of the type's code. */
  code: string;
  /** Whether the attempt goes on after a wait or a crash. */
  resumed?: boolean;
  /** Whether the process that had it is gone. */
  takeover?: boolean;
}

/** The activation suspends; nothing of it stays in a process. */
export interface NodeWaiting extends OfActivation {
  type: 'NodeWaiting';
  /** What it waits for. */
  on: 'interrupt' | 'children' | 'timer' | 'run';
  /** The step that waits. */
  path: string;
  /** Of a timer: when it is over, in milliseconds since the epoch. */
  until?: number;
  /** Of a timer: whether it ends the attempt. */
  times_out?: boolean;
  /** Of a timer: the hash of what was asked for. */
  request_hash?: string;
}

/** The clock of a composite with `timeout_ms` starts or stands still while it waits. It stands still where all that the composite runs waits for people. */
export interface NodeTimed extends OfActivation {
  type: 'NodeTimed';
  /** When it runs out, in milliseconds since the epoch; null where it stands still. */
  until: number | null;
}

/** The activation is over and has a result. */
export interface NodeCompleted extends OfActivation {
  type: 'NodeCompleted';
  /** The output; the log keeps it only where it is not the same as `writes`, the wire has it always. */
  output?: Json;
  /** What lands in memory, merged. */
  writes?: JsonObject;
  /** Keys of memory of the type's own, replaced whole. */
  results?: JsonObject;
  /** Whether the output is the run's result. */
  is_result?: boolean;
  /** The edges taken, by index. */
  edges: number[];
  /** The condition that the node named, for its edges. */
  condition?: string;
  /** The intent that the node named, for its edges. */
  intent?: string;
  /** Texts that flow on along the edges. */
  metadata?: JsonObject;
  /** Notes for operators. */
  infra?: Json;
  /** What undoes it if the run fails: `{type, tool, request, timeout_ms}`. */
  undo?: JsonObject;
  /** Of a child: for its parent alone. */
  aside?: Json;
  /** Whether a pinned result stood in for the node, which was not run. */
  pinned?: boolean;
  /** How many attempts it took. */
  attempts: number;
  /** Milliseconds since the first. */
  duration_ms: number;
}

/** The activation failed for good. */
export interface NodeFailed extends OfActivation {
  type: 'NodeFailed';
  /** Why. */
  error: EventError;
  /** The edges taken for failures, by index. */
  edges: number[];
  /** How many attempts there were. */
  attempts: number;
  /** Milliseconds since the first. */
  duration_ms: number;
  /** What lands in memory with the edges taken: a rejected approval's decision. */
  results?: JsonObject;
}

/** The activation passed on what it got: the node is disabled, or a person skipped it. */
export interface NodeSkipped extends OfActivation {
  type: 'NodeSkipped';
  /** What it passed on. */
  output: Json;
  /** The edges taken, by index. */
  edges: number[];
}

/** The activation is over because nobody needs it any more. */
export interface NodeCancelled extends OfActivation {
  type: 'NodeCancelled';
}

/** The activation is parked until a person says what happened. */
export interface NodeInDoubt extends OfActivation {
  type: 'NodeInDoubt';
  /** `unknown_outcome`, `code_changed`, `missing_type` or `poison`. */
  reason: string;
  /** The step in doubt. */
  path: string;
  /** The interrupt that asks. */
  request_id: string;
}

/** An attempt failed and another one will follow. */
export interface AttemptFailed extends NextAttempt, OfActivation {
  type: 'AttemptFailed';
  /** Why it failed. */
  error: EventError;
  /** Whether its own answer was refused, so that its models are asked anew. */
  rejected_answer?: boolean;
}

/** The condition of an edge was looked at; the activation is the source's. */
export interface EdgeEvaluated extends OfActivation {
  type: 'EdgeEvaluated';
  /** The edge, by index. */
  edge: number;
  /** The node that it leaves. */
  source: string;
  /** The node that it leads to. */
  target: string;
  /** The condition. */
  expression: string;
  /** Whether it holds. */
  value: boolean;
  /** Whether it read something that is not there. */
  missing?: boolean;
}

/** A write that is not allowed was left out. */
export interface WriteDropped extends Emitted {
  type: 'WriteDropped';
  /** The keys of memory. */
  keys: string[];
  /** Why. */
  reason: string;
  /** How many, where not all are named. */
  count?: number;
}

/** A key was written that another activation wrote since this one started. */
export interface WritesCollided extends OfActivation {
  type: 'WritesCollided';
  /** The key of memory. */
  memory_key: string;
  /** The other activation. */
  other: string;
}

/** An undo of a completed activation begins, or goes on; its key is the undo's own. */
export interface CompensationStarted extends OfActivation {
  type: 'CompensationStarted';
  /** The node that is undone. */
  node: string;
  /** What is called. */
  tool: string;
  /** The lease. */
  epoch: number;
  /** Whether the process that had it is gone. */
  takeover: boolean;
}

/** An undo is over. */
export interface CompensationRun extends OfActivation {
  type: 'CompensationRun';
  /** The node that was undone. */
  node: string;
  /** What was called. */
  tool: string;
  /** Whether it worked. */
  ok: boolean;
  /** What the call returned. */
  result?: Json;
  /** Why it did not work. */
  error?: EventError;
}

/** A target failed so often that nobody calls it for a while. */
export interface CircuitOpened extends OfActivation {
  type: 'CircuitOpened';
  /** The model, tool or address. */
  target: string;
  /** How often it failed in a row. */
  failures: number;
}

/** A target works again. */
export interface CircuitClosed extends OfActivation {
  type: 'CircuitClosed';
  /** The model, tool or address. */
  target: string;
}

/** A call is about to be made; what it may cost is held. */
export interface StepIntended extends CallShown, OfStep {
  type: 'StepIntended';
  /** `model`, `tool`, `http`, `memory`, or a type's own. */
  kind: string;
  /** What making it twice would do: `pure`, `read`, `llm`, `keyed`, `once`, … */
  effect_class: string;
  /** The hash of the request. */
  request_hash: string;
  /** The request. */
  request: Json;
  /** What is held for it. */
  hold?: Held | null;
}

/** A call was made and has a result. */
export interface StepCompleted extends CallShown, Spent, OfStep {
  type: 'StepCompleted';
  /** What it returned. */
  result: Json;
  /** Whether a model stopped at its limit of tokens. */
  cut?: boolean;
}

/** A call failed, or nobody will learn how it ended. */
export interface StepFailed extends CallShown, Spent, OfStep {
  type: 'StepFailed';
  /** Why. */
  error: EventError;
  /** Whether a person asked for it to be made once more. */
  again?: boolean;
}

/** A value that needs no call was fixed, so that a replay finds the same. */
export interface StepRecorded extends OfStep {
  type: 'StepRecorded';
  /** `now`, `random`, `look`, … */
  kind: string;
  /** The hash of what was asked for. */
  request_hash: string;
  /** The value; of a `look` absent: what counts is its place in the log. */
  result?: Json;
}

/** A message for the user of the run. */
export interface MessageEmitted extends Emitted {
  type: 'MessageEmitted';
  /** The text. */
  content: string;
  /** Whether it is complete. */
  final: boolean;
}

/** Structured data for the user of the run. */
export interface StructuredEmitted extends Emitted {
  type: 'StructuredEmitted';
  /** The part that it changes, null for the whole. */
  data_type: string | null;
  /** Whether it replaces what was there or adds to it. */
  mode: 'snapshot' | 'merge';
  /** The data. */
  data: JsonObject;
}

/** One row of a view that the type declares (see [writing-nodes.md](writing-nodes.md)). */
export interface RowShown extends Emitted {
  type: 'RowShown';
  /** The view. */
  view: string;
  /** The row. */
  row: JsonObject;
}

/** A value of one node was set. */
export interface NodeStateSet extends Emitted {
  type: 'NodeStateSet';
  /** Its name. */
  name: string;
  /** The value. */
  value: Json;
}

/** A value of the whole run was set. */
export interface WorkflowStateSet extends Emitted {
  type: 'WorkflowStateSet';
  /** Its name. */
  name: string;
  /** The value. */
  value: Json;
}

/** Facts could not be looked up; the node runs without them. */
export interface MemoryQueryFailed extends OfActivation {
  type: 'MemoryQueryFailed';
  /** Why. */
  error: EventError;
}

/** A question to people is open. */
export interface InterruptOpened extends Asked, OfActivation {
  type: 'InterruptOpened';
  /** The interrupt. */
  request_id: string;
  /** What is asked for. */
  kind: 'approval' | 'text' | 'choice' | 'multi-choice' | 'form' | 'budget' | 'in_doubt' | 'breakpoint';
  /** The question as it is shown; options of a choice come without their values. */
  request: JsonObject;
  /** The step that waits for it. */
  path: string;
  /** When it expires, in milliseconds since the epoch. */
  expires_at?: number;
}

/** A question to people is closed, once. */
export interface InterruptResolved extends Resolution, OfActivation {
  type: 'InterruptResolved';
  /** The interrupt. */
  request_id: string;
}

/** One person decided on an approval that needs several. */
export interface DecisionRecorded extends Changed, Said, OfActivation {
  type: 'DecisionRecorded';
  /** The interrupt. */
  request_id: string;
  /** Who decided. */
  by: string;
  /** What they decided. */
  decision: 'approved' | 'rejected';
  /** The seats that they can fill, by number; null: any. */
  fills: number[] | null;
  /** Whether it was said on a command line, where nobody is known by name. */
  cli?: boolean;
}

/** A decision counts no more. */
export interface DecisionDropped extends OfActivation {
  type: 'DecisionDropped';
  /** The interrupt. */
  request_id: string;
  /** Whose it was. */
  by: string;
  /** Why. */
  reason: 'content_changed' | 'not_eligible';
  /** What they had said. */
  decision: string;
  /** The event with which they had said it. */
  decided: number;
  /** The hash of what it was about. */
  content_hash?: string | null;
}

/** People are reminded of an approval. */
export interface InterruptReminded extends OfActivation {
  type: 'InterruptReminded';
  /** The interrupt. */
  request_id: string;
  /** The latest of the policy's reminders that was due, from 1. */
  number: number;
}

/** More people may decide on an approval from now on. */
export interface InterruptEscalated extends OfActivation {
  type: 'InterruptEscalated';
  /** The interrupt. */
  request_id: string;
  /** Who, expressions computed. */
  to: string[];
}

/** An activation asks for nodes to be run below it. */
export interface ChildrenRequested extends OfActivation {
  type: 'ChildrenRequested';
  /** The step that waits for them. */
  path: string;
  /** The attempt that asks. */
  attempt: number;
  /** The nodes, in order. */
  children: WantedChild[];
  /** How many run at the same time. */
  max_concurrency: number;
  /** Whether the first failure ends the others. */
  fail_fast: boolean;
  /** Whether their writes stay with them. */
  isolated: boolean;
  /** The hash of what was asked for. */
  request_hash: string;
  /** Those that completed in an earlier attempt, by index: their results stand. */
  kept?: number[];
  /** What lands in memory before they start. */
  writes?: JsonObject;
}

/** An activation asks for a run of another workflow. */
export interface ChildRunRequested extends OfActivation {
  type: 'ChildRunRequested';
  /** The step that waits for it. */
  path: string;
  /** The attempt that asks. */
  attempt: number;
  /** The child run. */
  run_id: string;
  /** Its workflow. */
  graph_id: string;
  /** Its input. */
  input: Json;
  /** The memory that it begins with. */
  memory: Json;
  /** The hash of what was asked for. */
  request_hash: string;
  /** A limit of its own. */
  max_iterations: number | null;
}

/** A child run waits for people, or no longer does. */
export interface ChildRunWaiting extends OfActivation {
  type: 'ChildRunWaiting';
  /** The child run. */
  run_id: string;
  /** Whether it waits. */
  waiting: boolean;
}

/** A child run is over. */
export interface ChildRunEnded extends OfActivation {
  type: 'ChildRunEnded';
  /** The step that waited for it. */
  path: string;
  /** The child run. */
  run_id: string;
  /** As what it ended, or `refused`: it could not be started. */
  status: string;
  /** Its result. */
  result: Json;
  /** What its nodes wrote. */
  memory: Json;
  /** Why it failed. */
  error: EventError | null;
  /** Tokens it spent. */
  tokens: number | null;
  /** USD it spent, as decimal text. */
  cost_usd: string | null;
  /** Whether a run that it handed over to spends on. */
  handed_over: boolean | null;
  /** Whether it sent calls that must not be made twice. */
  effected?: boolean;
  /** The undos that it leaves. */
  compensations?: Json[];
}

/** A timer is over. */
export interface TimerFired extends OfEither {
  type: 'TimerFired';
  /** The timer. */
  timer: string;
  /** `sleep`, `timeout` or `ending`. */
  kind: string;
  /** Of a sleep: the step that waits. */
  path?: string;
}

/** A reviewer asks back: the clock of the approval stands still. */
export interface InterruptAskedBack extends OfActivation {
  type: 'InterruptAskedBack';
  /** The interrupt. */
  request_id: string;
  /** Who asks. */
  by: string;
  /** Who is asked. */
  to: string;
  /** What. */
  question: string;
  /** When the clock runs on by itself, in milliseconds since the epoch. */
  until: number;
  /** How long was left until the deadline. */
  left_ms?: number;
  /** The door: `page` or `token`. */
  via?: string;
}

/** What was asked back is answered, or is no longer waited for: the clock goes on. */
export interface InterruptAnsweredBack extends OfActivation {
  type: 'InterruptAnsweredBack';
  /** The interrupt. */
  request_id: string;
  /** How it ended: `lapsed` is that nobody answered in time. */
  outcome: 'answered' | 'withdrawn' | 'lapsed';
  /** The event that asked. */
  asked: number;
  /** Who answered, or took the question back. */
  by?: string;
  /** The answer. */
  reply?: string;
  /** The deadline from now on, in milliseconds since the epoch. */
  expires_at?: number;
  /** The door: `page` or `token`. */
  via?: string;
}

export type RunEvent =
  | RunStarted
  | RunQueued
  | RunAdmitted
  | RunEnding
  | RunCompleted
  | RunFailed
  | RunTimedOut
  | RunCancelled
  | RunTransitioned
  | BudgetThresholdReached
  | BudgetRaised
  | AgentPinned
  | MemoryEdited
  | JoinForced
  | NodeQueued
  | NodeStarted
  | NodeWaiting
  | NodeTimed
  | NodeCompleted
  | NodeFailed
  | NodeSkipped
  | NodeCancelled
  | NodeInDoubt
  | AttemptFailed
  | EdgeEvaluated
  | WriteDropped
  | WritesCollided
  | CompensationStarted
  | CompensationRun
  | CircuitOpened
  | CircuitClosed
  | StepIntended
  | StepCompleted
  | StepFailed
  | StepRecorded
  | MessageEmitted
  | StructuredEmitted
  | RowShown
  | NodeStateSet
  | WorkflowStateSet
  | MemoryQueryFailed
  | InterruptOpened
  | InterruptResolved
  | DecisionRecorded
  | DecisionDropped
  | InterruptReminded
  | InterruptEscalated
  | ChildrenRequested
  | ChildRunRequested
  | ChildRunWaiting
  | ChildRunEnded
  | TimerFired
  | InterruptAskedBack
  | InterruptAnsweredBack;

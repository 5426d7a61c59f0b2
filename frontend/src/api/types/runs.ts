/** Runs and what has happened in them. */

import type * as served from './schema.gen.ts';
import type { Budget } from '../http/workspace/budgets.ts';
import type { GraphDoc, Json, JsonObject } from './documentTypes.ts';
import type { Interrupt } from './inbox.ts';
import type { Person } from './workspace.ts';

export type RunStatus =
  'queued' | 'running' | 'waiting' | 'ending' | 'completed' | 'failed' | 'cancelled' | 'timeout';
export type ActivationStatus =
  | 'queued'
  | 'running'
  | 'retrying'
  | 'waiting'
  | 'in_doubt'
  | 'completed'
  | 'failed'
  | 'skipped'
  | 'cancelled';

export interface RunStart {
  input?: Json;
  memory?: JsonObject;
  goal?: string;
  constraints?: string[];
  context?: JsonObject;
  metadata?: Record<string, string>;
  budget_usd?: string;
  max_token_budget?: number;
  draft?: boolean;
  version?: number;
  /** The node after which the run stops. */
  until?: string;
  /** The one node that runs, on what it is `given`. */
  only?: string;
  given?: JsonObject;
  /** Whether what is pinned stands in for its nodes. */
  pins?: boolean;
  /** The nodes before which the run stands. */
  breakpoints?: string[];
  /** Whether the calls of a node alone may be made. */
  accept?: boolean;
}

/** `label` is what people call the node, in lists. */
export type RunError = Omit<served.RunErrorOut, 'label'> & { label?: string | null };

export interface RunSummary {
  id: string;
  /** The first line of what it was started with; may be empty. */
  title: string;
  graph: { id: string; slug: string; name: string };
  version: number | null;
  is_draft: boolean;
  status: RunStatus;
  waiting_for: string[];
  /** How many runs come before it while it waits for a place. */
  queued_behind?: number | null;
  started_by: Person | string | null;
  /** What kind of thing started it: person, api, chat, webhook, schedule, event. */
  source?: string | null;
  /** Without a name once it is gone. */
  trigger?: { id: string; name: string } | null;
  started_at: string;
  ended_at: string | null;
  duration_ms: number | null;
  spend: { tokens: number; usd: string };
  limit_usd: string | null;
  error: RunError | null;
  parent_run: string | null;
  seq: number;
  /** Names and values that it was started with. */
  tags: Record<string, string>;
  /** Since when it waits for somebody. */
  waiting_since: string | null;
  /** When it goes on, while all of it waits for a moment. */
  waits_until: string | null;
  /** When its log went into a file, from which it is read since. */
  archived_at?: string | null;
  /** Whether it stays, whatever its age. */
  kept?: boolean;
  /** Whether it ended as a person said no; its status is `failed` then. */
  rejected?: boolean;
  /** Who said no, where that is known. */
  rejected_by?: Person | string | null;
}

export interface RunDetail extends Omit<RunSummary, 'spend'> {
  as_of_seq: number;
  input: Json;
  goal: string;
  result: Json;
  document: GraphDoc;
  spend: {
    usd: string;
    tokens: number;
    held_usd: string;
    held_tokens: number;
    limit_usd: string | null;
    limit_tokens: number | null;
    tightest: Budget | null;
    by_node: Record<string, { tokens: number; usd?: string; cost_usd?: string; attempts?: number }>;
  };
  interrupts: Interrupt[];
  forked_from: { run_id: string; seq: number } | null;
  /** The run that started this one by an event. */
  cause: string | null;
  /** The node after which the run stops, as was asked; null for one that goes to its end. */
  until: string | null;
  /** The one node that ran, of a test run of it alone. */
  only: string | null;
  /** Whether the draft says something else than what this run ran; false where it cannot be retried. */
  draft_differs: boolean;
  /** The run that went on where this one failed; null where none did. */
  retried: {
    id: string;
    status: RunStatus;
    rejected?: boolean;
    started_at: string;
    waits_until?: string | null;
  } | null;
  can: { cancel: boolean; retry: boolean; fork: boolean; decide: boolean };
}

/** One event of a run, flat (`docs/events.md`). The fold in `run/` knows the fields of each type. */
export interface RunEvent {
  seq: number;
  type: string;
  at: string;
  key?: string;
  node?: string;
  [field: string]: unknown;
}

export interface RunEvents {
  events: RunEvent[];
  head: number;
}
export interface RunState {
  seq: number;
  memory: JsonObject;
  outputs: JsonObject;
  metadata: JsonObject;
  context: JsonObject;
  ui: JsonObject;
}

export interface Overview {
  runs: {
    running: number;
    waiting: number;
    asleep: number;
    failed_24h: number;
    completed_24h: number;
  };
  open_interrupts: number;
  /** Of these, of runs that try a draft. */
  open_tests: number;
  spend_today_usd: string;
  spend_month_usd: string;
  runs_per_hour: {
    hour: string;
    completed: number;
    failed: number;
    cancelled: number;
    timeout: number;
  }[];
  spend_by_graph: { graph: string | { id: string; name: string }; usd: string; tokens: number }[];
}

/** What waits for people, and what they decide. */

import type * as served from './schema.gen.ts';
import type { Json, JsonObject, JsonSchema } from './documentTypes.ts';
import type { EffectClass, Person } from './workspace.ts';

export type InterruptStatus = 'open' | 'answered' | 'expired' | 'cancelled' | 'superseded';
export type InterruptKind =
  'approval' | 'text' | 'choice' | 'multi-choice' | 'form' | 'budget' | 'in_doubt';
export interface QuestionOption {
  id: string;
  label: string;
  description?: string;
}
export interface InterruptRequest {
  /** `tool_call` asks about one call of an agent: `data` are its arguments. */
  approval_type?: string;
  agent?: string;
  /** Whose tool is called, what that is, and the host that it is sent to (empty: none). */
  source?: string;
  source_kind?: string;
  host?: string;
  effect?: EffectClass;
  /** Why people are asked about the call. */
  why?: string;
  prompt?: string;
  data?: Json;
  editable_keys?: string[];
  edit_schema?: JsonSchema;
  require_reason?: 'never' | 'reject' | 'always';
  policy?: { confirm?: 'never' | 'dangerous' | 'type' };
  /** Reasons for a rejection that the workflow offers. */
  reasons?: string[];
  question?: string;
  options?: QuestionOption[];
  multiple?: boolean;
  schema?: JsonSchema;
  level?: string;
  limit_usd?: string | null;
  spent_usd?: string;
  held_usd?: string;
  asked_usd?: string;
  limit_tokens?: number | null;
  spent_tokens?: number;
  held_tokens?: number;
  asked_tokens?: number;
  reason?: string;
  tool?: string;
  arguments?: Json;
  effect_class?: EffectClass;
  message?: string;
  attempt?: number;
  sent_at?: string;
  idempotency_key?: string;
  method?: string;
  url?: string;
  body?: string;
}

export type Decision = 'approved' | 'rejected' | 'raise' | 'stop' | 'happened' | 'retry' | 'skip';
export interface Decided {
  by: Person | string | null;
  /** The absent person in whose place it was decided. */
  stands_for?: Person | string | null;
  at: string;
  decision: string;
  comment: string | null;
  answer: Json;
  given?: Json;
  edits?: JsonObject | null;
}

/** What approvers changed of one key, from what was first shown to what it is. */
export interface ItemChange {
  key: string;
  before: Json;
  after: Json;
  added: boolean;
  by: Person | string | null;
}

/** One decision of an approval that needs several. */
export interface Said {
  by: Person | string;
  stands_for?: Person | string | null;
  at: string;
  decision: 'approved' | 'rejected';
  comment: string | null;
}
/** How many must approve; `missing` names groups or people, `reachable` tells whether the people there are could still do it. */
export interface Quorum {
  rule: 'any' | 'all' | 'at_least' | 'per_group';
  needed: number;
  remaining: number;
  missing: string[];
  approvals: Said[];
  reachable: boolean;
  /** Whether a rejection of the reader would end it. */
  no_ends_it: boolean;
}
export type ItemComment = served.CommentOut;
export type QuestionBack = served.QuestionBackOut;

/** What the caller decided and can take back until `commit_at`, or what came of it (`refused`). */
export type HeldAnswer = served.HeldOut & { state: 'held' | 'sending' | 'refused' };

export interface Interrupt {
  request_id: string;
  run: {
    id: string;
    /** What it was started with, in a line: what lists of runs call it; may be empty. */
    title: string;
    graph: { id: string; slug: string; name: string };
    started_by: Person | string | null;
    /** What started it: `person`, `webhook`, … and the trigger, without name once it is gone. */
    source?: string | null;
    trigger?: Person | null;
    /** Whether it tries a draft. */
    is_test: boolean;
  };
  node: string;
  node_label: string;
  key: string;
  kind: InterruptKind;
  status: InterruptStatus;
  opened_at: string;
  expires_at: string | null;
  request: InterruptRequest;
  content_hash: string | null;
  resume_token?: string;
  can_decide: boolean;
  why_not?: string;
  why_me: string | null;
  my_decision: 'approved' | 'rejected' | null;
  decided: Decided | null;
  /** How its run ended, where that closed it. */
  ended?: served.EndedOut | null;
  quorum: Quorum | null;
  edited_by: Person | string | null;
  changes: ItemChange[];
  /** The message as it was first shown, where it reads otherwise now. */
  shown_prompt: string | null;
  /** The caller had decided before somebody changed what it shows. */
  asked_again: { at: string; decision: 'approved' | 'rejected'; changes: ItemChange[] } | null;
  eligible: Person[];
  eligible_count: number;
  /** In whose place the caller may decide: without a word in the first. */
  places: Person[];
  /** Who of those asked is away, and who decides meanwhile; `why_not` where that person may not. */
  away: served.AwayOut[];
  /** Fields that only others may edit, and who, in words. */
  not_mine_to_edit: Record<string, string[]>;
  reminded_at: string | null;
  next_reminder_at: string | null;
  escalated: string[] | null;
  claim: { by: Person; at: string } | null;
  snoozed_until: string | null;
  delegation: { by: Person; to: Person; note: string; at: string } | null;
  comments: number;
  /** Questions to the starter or an author, the oldest first. */
  asked_back: QuestionBack[];
  held: HeldAnswer | null;
  /** Who else decided it and can still take that back. */
  deciding: Person[];
  /** The sum that it is about. */
  amount: number | null;
  /** Of what is shown and is money, by the field's name. */
  currencies?: Record<string, string>;
  /** 0 to 100, as the workflow says. */
  risk: number | null;
  /** Whether what an approval lets happen next cannot be taken back. */
  stays_done: boolean;
  spend_usd: string;
}

export interface InterruptAnswer {
  token: string;
  content_hash?: string;
  decision?: Decision;
  comment?: string;
  /** What was typed to say that one means it, where the policy asks for that. */
  confirmed?: string;
  edits?: JsonObject;
  selected?: Json;
  choice?: Json;
  choices?: Json;
  values?: JsonObject;
  max_cost_usd?: string;
  max_tokens?: number;
  result?: Json;
  /** In whose place it is decided, where there are several. */
  stands_for?: string;
  cancel?: boolean;
  /** Let it wait on the server for some seconds, in which it can be taken back. */
  hold?: boolean;
  /** For how long it was on screen in all, in milliseconds, and whether anything of it was opened. */
  seen?: { ms: number; opened: boolean };
}

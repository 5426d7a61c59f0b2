/** The objects of `docs/api.md`, as they are on the wire. Times are RFC 3339 text, money is decimal text in USD. */

import type { Budget } from '../http/budgets.ts';
import type {
  GraphDoc, GraphFields, EdgeDoc, Json, JsonObject, JsonSchema, NodeDoc, Permissions,
} from './documentTypes.ts';
import type { Proven } from './proofTypes.ts';

export type * from './documentTypes.ts';
export type * from './proofTypes.ts';

export type RunStatus = 'queued' | 'running' | 'waiting' | 'ending' | 'completed' | 'failed' | 'cancelled' | 'timeout';
export type ActivationStatus =
  | 'queued' | 'running' | 'retrying' | 'waiting' | 'in_doubt' | 'completed' | 'failed' | 'skipped' | 'cancelled';
export type InterruptStatus = 'open' | 'answered' | 'expired' | 'cancelled' | 'superseded';
export type Role = 'viewer' | 'author' | 'reviewer' | 'operator' | 'admin';
export type EffectClass = 'pure' | 'read' | 'llm' | 'keyed' | 'probe' | 'unsafe';
export type Severity = 'error' | 'warning' | 'hint';

/** A part of a list; the first says how many rows there are, up to a bound above which `total_is_more`. */
export interface Page<T> { results: T[]; next: string | null; total?: number | null; total_is_more?: boolean }

export interface Problem {
  severity: Severity;
  code: string;
  message: string;
  path: string;
  node?: string | null;
  edge?: string | null;
  fix?: { kind: 'add_read_key'; node: string; key: string } | null;
}

export interface Person { id: string; name: string; email?: string }

export interface WorkspaceSettings {
  default_model?: string;
  default_graph?: string | null;
  unknown_price?: 'refuse' | 'flat' | 'allow';
  timezone?: string;
  egress_allow?: string[];
  keep_runs_days?: number | null;
  /** Whether mails may say what is asked, not only at which step. */
  mail_titles?: boolean;
}

export interface WorkspaceRef { id: string; name: string; role: Role }

export interface Session {
  authenticated: boolean;
  needs_setup: boolean;
  csrf_token: string;
  mail: boolean;
  user: { id: string; name: string; email: string } | null;
  workspace: (WorkspaceRef & { settings: WorkspaceSettings }) | null;
  workspaces: WorkspaceRef[];
  version: string | null;
}

export type MailWhen = 'at_once' | 'hourly' | 'daily' | 'never';
export interface NotificationChoice { mail: MailWhen; email: string; sends_mail: boolean }

export interface ModelInfo {
  id: string;
  label: string;
  provider: string;
  description: string;
  available: boolean;
  labelled: boolean;
  price: { input_per_million: string; output_per_million: string; dated: string | null } | null;
}

export interface FoundProvider {
  id: string;
  provider: string;
  label: string;
  base_url: string;
  models: string[];
  source: 'environment' | 'loopback';
  accepted: boolean;
}

export interface ModelProvider {
  id: string;
  label: string;
  base_url: string;
  source: 'hosted' | 'loopback' | 'own' | 'machine';
  has_key: boolean;
  from_environment: boolean;
  headers: string[];
  models: string[];
  /** Those of the models that a person named. */
  named: string[];
  prices: Record<string, { input_per_million: string; output_per_million: string; dated: string }>;
  reachable: boolean | null;
  problem: string;
}

export interface ProviderUser { kind: 'default' | 'agent' | 'workflow'; id: string; name: string }
export interface ModelTrial { ok: boolean; message: string; first_token_ms: number | null; total_ms: number }

export interface Models { default_model: string; models: ModelInfo[]; providers: ModelProvider[]; found: FoundProvider[] }

export type HandleKind = 'completed' | 'failed' | 'rejected' | 'timed_out' | 'dynamic';
export interface HandleInfo { id: string; label: string; kind: HandleKind; when?: string | null }

/** What the run view shows that is special to a type: the kinds of `engine/core/node_types/run_views.py`. */
export type ViewKind = 'items' | 'decisions' | 'votes' | 'generations' | 'scores' | 'verdict' | 'facts' | 'child_run';
export interface ViewInfo { kind: ViewKind; title: string }

export interface NodeTypeInfo {
  type: string;
  label: string;
  icon: string;
  category: string;
  help: string;
  effect_class: EffectClass;
  config_schema: JsonSchema;
  defaults: { read_keys: string[]; write_keys: string[]; config: JsonObject };
  handles: HandleInfo[];
  result_keys: string[];
  prompts: boolean;
  views: ViewInfo[];
}

export interface Agent {
  id: string;
  name: string;
  model: string;
  system_prompt: string;
  temperature: number | null;
  max_output_tokens: number;
  tools: string[];
  permissions: Permissions | null;
  max_tokens?: number | null;
  used_by: string[];
}

export interface Credential { id: string; name: string; kind: string; hosts: string[]; created_at: string; last_used_at: string | null }
export interface ToolInfo {
  name: string;
  source: string;
  description: string;
  parameters: JsonSchema;
  effect_class: EffectClass;
  hash: string;
  accepted: boolean;
}
export interface FunctionInfo { name: string; description: string }
export interface Member { id: string; user: { id: string; name: string; email: string }; role: Role; groups: string[] }

export interface GraphSummary {
  id: string;
  slug: string;
  name: string;
  description: string;
  tags: string[];
  updated_at: string;
  revision: number;
  has_draft_changes: boolean;
  published: { number: number; published_at: string; note: string } | null;
  last_run: { id: string; status: RunStatus; at: string } | null;
  runs_30d: number;
  success_rate: number | null;
  spend_month_usd: string;
  open_approvals: number;
}

export interface GraphDetail extends GraphSummary, Proven {
  document: GraphDoc;
  /** Publication takes a guard before every dangerous step. */
  require_approval: boolean;
  can: { edit: boolean; publish: boolean; run: boolean };
}

/** What a template needs of its models: the built-in one is enough, one that writes, one that also calls tools. */
export type TemplateNeed = 'builtin' | 'prose' | 'tools';
export interface GraphTemplate {
  id: string;
  name: string;
  description: string;
  pattern: string;
  category: string;
  needs: TemplateNeed;
  node_types: string[];
  examples: Json[];
  brings: string[];
  document: GraphDoc;
}

export interface DraftPatch {
  revision: number;
  set_nodes?: NodeDoc[];
  delete_nodes?: string[];
  set_edges?: EdgeDoc[];
  delete_edges?: string[];
  set_graph?: Partial<GraphFields>;
  client?: string;
}

export interface DraftOthers {
  nodes: NodeDoc[];
  edges: EdgeDoc[];
  deleted_nodes: string[];
  deleted_edges: string[];
  graph: Partial<GraphFields> | null;
}

export interface DraftAnswer extends Proven { revision: number; others: DraftOthers }
export type ConflictKind = 'node' | 'edge' | 'graph';
export interface DraftConflict { kind: ConflictKind; id: string; theirs: Json }

export interface GraphVersion {
  number: number;
  published_at: string;
  published_by: Person | string | null;
  note: string;
  hash: string;
}
export interface GraphVersionDetail extends GraphVersion { document: GraphDoc }

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
}

export interface RunError { code: string; message: string; node: string | null }

export interface RunSummary {
  id: string;
  graph: { id: string; slug: string; name: string };
  version: number | null;
  is_draft: boolean;
  status: RunStatus;
  waiting_for: string[];
  started_by: Person | string | null;
  started_at: string;
  ended_at: string | null;
  duration_ms: number | null;
  spend: { tokens: number; usd: string };
  limit_usd: string | null;
  error: RunError | null;
  parent_run: string | null;
  seq: number;
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
  /** The node after which the run stops, as was asked; null for one that goes to its end. */
  until: string | null;
  /** Whether the draft says something else than what this run ran; false where it cannot be retried. */
  draft_differs: boolean;
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

export interface RunEvents { events: RunEvent[]; head: number }
export interface RunState { seq: number; memory: JsonObject; outputs: JsonObject; metadata: JsonObject; context: JsonObject; ui: JsonObject }

export type InterruptKind = 'approval' | 'text' | 'choice' | 'multi-choice' | 'form' | 'budget' | 'in_doubt';
export interface QuestionOption { id: string; label: string; description?: string }
export interface InterruptRequest {
  prompt?: string;
  data?: Json;
  editable_keys?: string[];
  edit_schema?: JsonSchema;
  require_reason?: 'never' | 'reject' | 'always';
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
export interface Decided { by: Person | string | null; at: string; decision: string; comment: string | null; answer: Json; given?: Json; edits?: JsonObject | null }

/** What approvers changed of one key, from what was first shown to what it is. */
export interface ItemChange { key: string; before: Json; after: Json; added: boolean; by: Person | string | null }

/** One decision of an approval that needs several. */
export interface Said { by: Person | string; at: string; decision: 'approved' | 'rejected'; comment: string | null }
/** How many must approve; `missing` names groups or people, `reachable` tells whether the people there are could still do it. */
export interface Quorum { rule: 'any' | 'all' | 'at_least' | 'per_group'; needed: number; remaining: number; missing: string[]; approvals: Said[]; reachable: boolean }
export interface ItemComment { id: number; by: Person | null; at: string; text: string }

export interface Interrupt {
  request_id: string;
  run: { id: string; graph: { id: string; slug: string; name: string }; started_by: Person | string | null };
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
  quorum: Quorum | null;
  edited_by: Person | string | null;
  changes: ItemChange[];
  /** The message as it was first shown, where it reads otherwise now. */
  shown_prompt: string | null;
  /** The caller had decided before somebody changed what it shows. */
  asked_again: { at: string; decision: 'approved' | 'rejected'; changes: ItemChange[] } | null;
  eligible: Person[];
  eligible_count: number;
  reminded_at: string | null;
  next_reminder_at: string | null;
  escalated: string[] | null;
  claim: { by: Person; at: string } | null;
  snoozed_until: string | null;
  delegation: { by: Person; to: Person; note: string; at: string } | null;
  comments: number;
  spend_usd: string;
}

export interface InterruptAnswer {
  token: string;
  content_hash?: string;
  decision?: Decision;
  comment?: string;
  edits?: JsonObject;
  selected?: Json;
  choice?: Json;
  choices?: Json;
  values?: JsonObject;
  max_cost_usd?: string;
  max_tokens?: number;
  result?: Json;
  cancel?: boolean;
}

export interface Overview {
  runs: { running: number; waiting: number; failed_24h: number; completed_24h: number };
  open_interrupts: number;
  spend_today_usd: string;
  spend_month_usd: string;
  runs_per_hour: { hour: string; completed: number; failed: number; cancelled: number; timeout: number }[];
  spend_by_graph: { graph: string | { id: string; name: string }; usd: string; tokens: number }[];
}

/** What a workspace is made of: its people, models, agents and tools, and what every list and answer shares. */

import type * as served from './schema.gen.ts';
import type { Json, JsonObject, JsonSchema, Permissions } from './documentTypes.ts';

export type Role = 'viewer' | 'author' | 'reviewer' | 'operator' | 'admin';
export type EffectClass = 'pure' | 'read' | 'llm' | 'keyed' | 'probe' | 'unsafe';
export type Severity = 'error' | 'warning' | 'hint';

/** A part of a list; the first says how many rows there are, up to a bound above which `total_is_more`. */
export interface Page<T> {
  results: T[];
  next: string | null;
  total?: number | null;
  total_is_more?: boolean;
}

export interface Problem {
  severity: Severity;
  code: string;
  message: string;
  path: string;
  node?: string | null;
  edge?: string | null;
  /** The message for people who draw. */
  say?: string | null;
  fixes?: Cure[];
  /** What of the text at `path` is meant, as it stands there. */
  words?: string[];
}

/** One change of a part of a document; an empty path is the whole part, an empty id a new edge. */
export interface Edit {
  op: 'set' | 'add';
  part: 'node' | 'edge' | 'graph';
  id: string;
  path: (string | number)[];
  value: Json;
}

/** A way to mend a problem, under the words of its button; where edits do not, what to open. */
export interface Cure {
  label: string;
  edits: Edit[];
  tool?: string | null;
  settings?: 'models' | null;
}

export type Person = served.Named;

export interface WorkspaceSettings {
  default_model?: string;
  default_graph?: string | null;
  unknown_price?: 'refuse' | 'flat' | 'allow';
  timezone?: string;
  egress_allow?: string[];
  keep_runs_days?: number | null;
  /** What becomes of runs after that. */
  old_runs?: 'archive' | 'delete';
  /** Whether mails may say what is asked, not only at which step. */
  mail_titles?: boolean;
  /** How many runs may be under way at once; null sets no limit. */
  runs_at_once?: number | null;
  /** How many calls may be under way at once, by provider or by `provider/model`. */
  calls_at_once?: Record<string, number>;
}

export interface WorkspaceRef {
  id: string;
  name: string;
  role: Role;
}

export interface Session {
  authenticated: boolean;
  needs_setup: boolean;
  csrf_token: string;
  mail: boolean;
  user: served.MeOut | null;
  workspace:
    | (WorkspaceRef & { settings: WorkspaceSettings; sign_in: served.WorkspaceOut['sign_in'] })
    | null;
  workspaces: WorkspaceRef[];
  version: string | null;
  /** Why this sign-in does not open the workspace that is asked for. */
  refused: served.SessionOut['refused'];
  /** Firms' own sign-ins that the page offers. */
  providers: served.SessionOut['providers'];
  /** What whoever has shown their password here is asked for next. */
  second_factor: served.SessionOut['second_factor'];
}

export type MailWhen = 'at_once' | 'hourly' | 'daily' | 'never';
export type NotificationChoice = served.NotificationsOut;

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

export type ModelProvider = served.ProviderOut;

export interface ProviderUser {
  kind: 'default' | 'agent' | 'workflow';
  id: string;
  name: string;
}
export type ModelTrial = served.TrialOut;

export interface Models {
  default_model: string;
  models: ModelInfo[];
  providers: ModelProvider[];
  found: FoundProvider[];
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
  /** When people are asked before a tool is called, by tool. */
  ask: Record<string, JsonObject>;
  max_tokens?: number | null;
  used_by: string[];
}

export type Credential = served.CredentialOut;
export interface ToolInfo {
  name: string;
  source: string;
  description: string;
  parameters: JsonSchema;
  effect_class: EffectClass;
  hash: string;
  accepted: boolean;
}
export type FunctionInfo = served.FunctionOut;
export interface Member {
  id: string;
  user: { id: string; name: string; email: string };
  role: Role;
  groups: string[];
}

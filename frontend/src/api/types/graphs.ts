/** Node types, graphs, templates, drafts and versions. */

import type {
  EdgeDoc,
  GraphDoc,
  GraphFields,
  Json,
  JsonObject,
  JsonSchema,
  NodeDoc,
} from './documentTypes.ts';
import type { Proven } from './proofTypes.ts';
import type { RunStatus } from './runs.ts';
import type * as served from './schema.gen.ts';
import type { EffectClass, Person } from './workspace.ts';

export type HandleKind = 'completed' | 'failed' | 'rejected' | 'timed_out' | 'dynamic';
export interface HandleInfo {
  id: string;
  label: string;
  kind: HandleKind;
  when?: string | null;
}

/** What the run view shows that is special to a type: the kinds of `engine/core/node_types/run_views.py`. */
export type ViewKind =
  'items' | 'decisions' | 'votes' | 'generations' | 'scores' | 'verdict' | 'facts' | 'child_run';
export interface ViewInfo {
  kind: ViewKind;
  title: string;
}

export interface NodeTypeInfo {
  type: string;
  label: string;
  icon: string;
  category: string;
  /** What people type who look for it and do not know its label. */
  words: string[];
  help: string;
  effect_class: EffectClass;
  config_schema: JsonSchema;
  defaults: { read_keys: string[]; write_keys: string[]; config: JsonObject };
  handles: HandleInfo[];
  result_keys: string[];
  prompts: boolean;
  /** Whether it writes fields that the author names. */
  writes_data: boolean;
  /** Whether a person answers in it: what they say stands for nobody else, so it cannot be pinned. */
  asks_people: boolean;
  views: ViewInfo[];
}

export interface GraphSummary {
  id: string;
  slug: string;
  name: string;
  description: string;
  tags: string[];
  folder: string;
  updated_at: string;
  revision: number;
  has_draft_changes: boolean;
  published: { number: number; published_at: string; note: string } | null;
  last_run: {
    id: string;
    status: RunStatus;
    at: string;
    waits_until?: string | null;
    rejected?: boolean;
  } | null;
  runs_30d: number;
  success_rate: number | null;
  spend_month_usd: string;
  open_approvals: number;
  /** Who may approve the version that waits for it: `user:<id>`, `group:<name>`, `role:<role>`. */
  waits_for: string[];
}

export interface GraphDetail extends GraphSummary, Proven {
  document: GraphDoc;
  /** Publication takes a guard before every dangerous step. */
  require_approval: boolean;
  /** How the last request to publish stands, where one has to be made. */
  publication?: string | null;
  can: { edit: boolean; publish: boolean; run: boolean; comment?: boolean };
}

/** A thread on a card of a draft, and what is said in it. */
export type CardThread = served.ThreadOut;
export type CardThreadDetail = served.ThreadDetail;
export type CardComment = served.CardCommentOut;
/** A comment that speaks to the person at the page. */
export type Mention = served.MentionOut;
/** A folder by its path, and how many workflows lie in it or below it. */
export type Folder = served.FolderOut;

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
  /** In front of which part a new one stands; the others are added at the end. */
  nodes_before?: Record<string, string>;
  edges_before?: Record<string, string>;
  client?: string;
}

export interface DraftOthers {
  nodes: NodeDoc[];
  edges: EdgeDoc[];
  deleted_nodes: string[];
  deleted_edges: string[];
  graph: Partial<GraphFields> | null;
}

export interface DraftAnswer extends Proven {
  revision: number;
  others: DraftOthers;
}
export type ConflictKind = 'node' | 'edge' | 'graph';
export interface DraftConflict {
  kind: ConflictKind;
  id: string;
  theirs: Json;
}

export interface GraphVersion {
  number: number;
  published_at: string;
  published_by: Person | string | null;
  note: string;
  hash: string;
}
export interface GraphVersionDetail extends GraphVersion {
  document: GraphDoc;
}

/** The graph document (`DOCUMENT.md` §1) and the JSON Schema that it and the node types use. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: Json;
  enum?: Json[];
  const?: Json;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  examples?: Json[];
  reducer?: string;
  'x-widget'?: string;
  /** With how many lines a box for text begins. */
  'x-rows'?: number;
  /** The unit of a number: a currency such as `EUR` makes it money. */
  'x-unit'?: string;
  /** Keys that are named here must be readable, or are so by being named. */
  'x-reads'?: string;
  'x-grants'?: string;
  /** Keys may name Start fields too, such as `input.cv`. */
  'x-start'?: boolean;
  /** The nodes that are named here are run as children, and can read these keys without leave. */
  'x-gives'?: string[];
  /** A JSONPath here begins with what can be read, and not with one value. */
  'x-over-view'?: boolean;
  'x-group'?: string;
  'x-placeholder'?: string;
  /** Another property, and the values of it with which this one has an effect. */
  'x-when'?: [string, ...Json[]];
  /** Other properties that this one's field edits too; they have none of their own. */
  'x-beside'?: string[];
  /** The property whose keys this one goes through. */
  'x-of'?: string;
  /** An expression that rows of conditions with a number each can write. */
  'x-points'?: boolean;
  /** Another field of the config that says the same as a template. */
  'x-template-in'?: string;
  /** It must be set where it has an effect. */
  'x-needed'?: boolean;
}

export interface Permissions {
  read_keys: string[];
  write_keys: string[];
}

export type Backoff = 'exponential' | 'linear' | 'fixed';
export interface FailurePolicy {
  max_retries?: number;
  backoff_strategy?: Backoff;
  initial_backoff_ms?: number;
  max_backoff_ms?: number;
  timeout_ms?: number | null;
  circuit_breaker?: {
    enabled?: boolean;
    failure_threshold?: number;
    success_threshold?: number;
    timeout_ms?: number;
  };
}
export interface NodeBudget {
  max_tokens?: number | null;
  max_cost_usd?: string | null;
  on_breach?: 'fail' | 'ask' | 'fallback';
  shrink_output?: boolean;
  fallback_agent_id?: string | null;
}
export interface MemoryQuery {
  text?: string;
  entity_ids?: string[];
  tags?: string[];
  max_facts?: number;
}
export interface Position {
  x: number;
  y: number;
}

/** A node of the document (`DOCUMENT.md` §1). */
export interface NodeDoc {
  id: string;
  type: string;
  label?: string;
  description?: string;
  human_description?: string;
  read_keys?: string[];
  write_keys?: string[];
  config?: JsonObject;
  failure_policy?: FailurePolicy;
  budget?: NodeBudget | null;
  memory_query?: MemoryQuery | null;
  requires_compensation?: boolean;
  merge?: 'deep' | 'replace';
  join?: 'all' | 'any';
  branching?: 'first' | 'all';
  disabled?: boolean;
  metadata?: JsonObject;
  position?: Position;
}

export type EdgeOn = 'completed' | 'failed' | 'rejected' | 'timed_out';

/** An edge of the document. A draft edge always has an `id`; a published one may lack it. */
export interface EdgeDoc {
  id?: string;
  source: string;
  target: string;
  when?: string | null;
  condition?: string | null;
  trigger?: 'agent' | null;
  on?: EdgeOn | null;
  priority?: number;
  label?: string | null;
}

export interface NoteDoc {
  id: string;
  kind: 'note' | 'frame';
  text: string;
  position: Position;
  size?: { width: number; height: number };
  color?: string;
}

export interface AgentDoc {
  id: string;
  model?: string;
  system_prompt?: string;
  temperature?: number | null;
  max_output_tokens?: number;
  tools?: string[];
  permissions?: Permissions;
  ask?: Record<string, JsonObject>;
}

export interface GraphLimits {
  max_iterations?: number;
  max_execution_time_ms?: number;
  budget_usd?: string | null;
  max_token_budget?: number | null;
}

export interface GraphDefaults {
  read_keys?: string[];
  write_keys?: string[];
  merge?: 'deep' | 'replace';
  on_no_match?: 'fail' | 'end';
}

/** The part of the document that belongs to no single node or edge; what `set_graph` carries. */
export interface GraphFields {
  goal?: string;
  constraints?: string[];
  state_schema?: JsonSchema | null;
  initial_memory?: JsonObject;
  defaults?: GraphDefaults;
  limits?: GraphLimits;
  interface?: { inputs?: JsonSchema; outputs?: string[] } | null;
  agents?: AgentDoc[];
  notes?: NoteDoc[];
}

export interface GraphDoc extends GraphFields {
  graphwright: 1;
  id: string;
  name?: string;
  version?: string;
  description?: string;
  nodes: NodeDoc[];
  edges: EdgeDoc[];
}

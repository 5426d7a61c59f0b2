/** What is proven about a draft before it runs (`docs/api.md`, Graphs). */

import type * as served from './schema.gen.ts';
import type { Json } from './documentTypes.ts';
import type { Problem } from './types.ts';

/** A dangerous step; `way` is a way to it that passes neither an approval nor a verifier, null when it is guarded. */
export interface Danger {
  node: string;
  kind: 'unsafe' | 'keyed' | 'marked';
  why: string;
  way: { nodes: string[]; edges: string[] } | null;
}

/** The most that one run can spend; `why` says what bounds it, or what is missing when nothing does. */
export type WorstCase = served.WorstCaseOut;

/** The part of every answer about a draft that says what is proven. */
export interface Proven {
  problems: Problem[];
  dangers?: Danger[];
  worst_case?: WorstCase | null;
}

/** A point at which a run can be forked: where an activation began. */
export interface ForkPoint {
  seq: number;
  key: string;
  node: string;
}
export interface ForkStep {
  key: string;
  node: string;
  status: string;
  tokens: number;
  usd: string;
}
export interface ForkCall {
  run: string;
  key: string;
  node: string;
  tool: string;
  effect_class: string;
  arguments: Json;
  outcome: string;
}

/** Why a node of the draft does not hold what a run has of it: `what` changed, `of` which nodes it builds on. */
export interface StaleMark {
  node: string;
  why: 'changed' | 'reads' | 'failed';
  what: string[];
  of: string[];
}

/** What a fork inherits, does again and sends again. */
export interface ForkPlan {
  from: ForkPoint;
  reused: ForkStep[];
  again: ForkStep[];
  resent: ForkCall[];
  /** Where a fork with changes starts at the latest; null where this point will do. */
  earliest_with_changes: ForkPoint | null;
  points: ForkPoint[];
  /** Of a run of only what is stale: why nodes are, which approvals ask again, whether it comes to nodes that never ran. */
  stale: StaleMark[];
  asks: string[];
  waiting: boolean;
  /** The run that was compared with the draft. */
  run?: string | null;
}

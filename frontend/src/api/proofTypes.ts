/** What is proven about a draft before it runs (`docs/api.md`, Graphs). */

import type { Problem } from './types.ts';

/** A dangerous step; `way` is a way to it that passes neither an approval nor a verifier, null when it is guarded. */
export interface Danger { node: string; kind: 'unsafe' | 'keyed' | 'marked'; why: string; way: { nodes: string[]; edges: string[] } | null }

/** The most that one run can spend; `why` says what bounds it, or what is missing when nothing does. */
export interface WorstCase { usd: string | null; tokens: number | null; unbounded: boolean; why: string }

/** The part of every answer about a draft that says what is proven. */
export interface Proven { problems: Problem[]; dangers?: Danger[]; worst_case?: WorstCase | null }

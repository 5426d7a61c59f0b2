import { useStore } from '@xyflow/react';
import { createContext, type ReactNode, useContext } from 'react';
import type { ActivationStatus, Danger, Problem } from '../../api/types/types.ts';
import type { Names } from '../../graph/schema/summary.ts';

/** What a run says about a node, summed over its activations. Sums of money are decimal text in USD. */
export interface NodeRunView {
  /** `asleep`: it waits for a moment alone; `rejected`: it ended as somebody said no. */
  status: ActivationStatus | 'asleep' | 'rejected';
  visits: number;
  attempt: number;
  maxAttempts: number;
  tokensText?: string;
  usedUsd?: string;
  heldUsd?: string;
  limitUsd?: string | null;
  usedTokens?: number;
  heldTokens?: number;
  limitTokens?: number | null;
  durationMs?: number | null;
  error?: string | null;
  /** When it is tried again: “Next try in 40 s (3 of 5)”. */
  nextTry?: string | null;
  /** One line about what is special to the type: "7 of 12 done". */
  headline?: string;
  /** Why somebody said no in the workflow that it called. */
  refusal?: string;
  undo?: 'running' | 'completed' | 'failed';
  circuitOpen?: boolean;
}

/** What a run says about an edge. */
export interface EdgeRunView {
  taken: boolean;
  active?: boolean;
  count?: number;
}

/** Other people who have a node selected. */
export interface Onlooker {
  name: string;
  color: string;
}

/** What test runs do with a node beside running it, and what people said of it. */
export interface TrialMarks {
  pinned: boolean;
  /** Whether runs stand before it. */
  breakpoint: boolean;
  /** Whether what the last test run has of it still holds: changed itself, or built on a change. */
  stale?: { changed: boolean; words: string } | undefined;
  /** Its open threads, and how they are told. */
  talk?: { threads: number; words: string } | undefined;
}

export interface CanvasScene {
  mode: 'edit' | 'run';
  nodeView: (id: string) => NodeRunView | undefined;
  edgeView: (edge: {
    id: string;
    index: number;
    source: string;
    target: string;
  }) => EdgeRunView | undefined;
  /** Absent for a node with which test runs do nothing special, and of which nothing was said. */
  marks: ReadonlyMap<string, TrialMarks>;
  /** What can be done at once on the card of a node, such as to cure what failed. */
  remedy?: ((id: string) => ReactNode) | undefined;
  names: Names;
  problems: ReadonlyMap<string, Problem[]>;
  /** The dangerous steps by node. */
  dangers: ReadonlyMap<string, Danger>;
  /** Nodes and edges of the unguarded ways that are drawn now. */
  openWays: { nodes: ReadonlySet<string>; edges: ReadonlySet<string> };
  onlookers: ReadonlyMap<string, Onlooker[]>;
  tints: ReadonlyMap<string, number>;
  /** The edge that a dragged node would be put into. */
  spliceInto: string | null;
  onInsert?: (edgeId: string, at: { x: number; y: number }) => void;
}

export const emptyScene: CanvasScene = {
  mode: 'run',
  nodeView: () => undefined,
  edgeView: () => undefined,
  marks: new Map(),
  names: () => undefined,
  problems: new Map(),
  dangers: new Map(),
  openWays: { nodes: new Set(), edges: new Set() },
  onlookers: new Map(),
  tints: new Map(),
  spliceInto: null,
};

export const SceneContext = createContext<CanvasScene>(emptyScene);
export const useScene = () => useContext(SceneContext);

/** Below this zoom names are all that is said in words, as large as they fit. */
const MIDDLE = 0.62;
export const useMiddle = () => useStore((state) => state.transform[2] < MIDDLE);

const TINTS = 8;

/** The tint of each category: by its first place in the server's list of types, so the same everywhere. */
export function tintsOf(types: Iterable<{ category: string }>): Map<string, number> {
  const tints = new Map<string, number>();
  for (const { category } of types)
    if (!tints.has(category)) tints.set(category, tints.size % TINTS);
  return tints;
}

/** The name of a category's tint among the colours of the theme. */
export const tintName = (tint: number | undefined) => `tint-${tint ?? TINTS - 1}`;

/** The CSS colour of a category's tint. */
export const tintColor = (tint: number | undefined) => `var(--gw-${tintName(tint)})`;

/** A view under change: every part is copied once before its first change, the rest stays shared. */

import { ancestorsOf, nodeOfKey, undoneBy } from './events.ts';
import {
  type ActivationStatus,
  type ActivationView,
  NO_SPEND,
  type NodeView,
  type RunView,
  type Segment,
  type SegmentKind,
  type Spend,
  isSettled,
} from './model.ts';

type Parts = { [K in keyof RunView]: RunView[K] extends object ? K : never }[keyof RunView];

/** Live statuses, the one that a person should notice first leading. */
const URGENCY: readonly ActivationStatus[] = [
  'in_doubt',
  'waiting',
  'retrying',
  'running',
  'queued',
];

export class Draft {
  readonly view: RunView;
  readonly #owned = new Set<unknown>();

  constructor(base: RunView) {
    this.view = { ...base };
  }

  /** The named part, safe to change. */
  part<K extends Parts>(name: K): NonNullable<RunView[K]> & object {
    const copy = this.#own(this.view[name] as NonNullable<RunView[K]> & object);
    this.view[name] = copy as RunView[K];
    return copy;
  }

  /** The activation of a key, safe to change; a stub when its `NodeQueued` was never seen. */
  activation(key: string, at: number): ActivationView {
    const all = this.part('activations');
    const known = all[key];
    const copy = known === undefined ? this.#create(key, at) : this.#own(known);
    all[key] = copy;
    return copy;
  }

  setStatus(activation: ActivationView, status: ActivationStatus): void {
    const before = activation.status;
    if (before === status) return;
    activation.status = status;
    if (isSettled(status)) this.view.live = this.view.live.filter((key) => key !== activation.key);
    if (undoneBy(activation.key) !== null) return;
    const node = this.node(activation.node);
    node.counts = { ...node.counts, [before]: (node.counts[before] ?? 1) - 1 };
    node.counts[status] = (node.counts[status] ?? 0) + 1;
    this.#summarise(node);
  }

  /** End the open segment of an activation and, with a kind, begin the next. */
  segment(activation: ActivationView, at: number, kind: SegmentKind | null, failed = false): void {
    const segments = this.#own(activation.segments);
    const last = segments.at(-1);
    if (last !== undefined && last.to === null)
      segments[segments.length - 1] = { ...last, to: at, failed };
    const attempt = kind === 'attempt' ? activation.attempt : null;
    if (kind !== null)
      segments.push({ kind, from: at, to: null, attempt, failed: false } satisfies Segment);
    activation.segments = segments;
  }

  node(id: string): NodeView {
    const nodes = this.part('nodes');
    const known = nodes[id];
    const copy: NodeView =
      known === undefined
        ? { id, status: 'queued', visits: 0, counts: {}, latest: '', keys: [], spend: NO_SPEND }
        : this.#own(known);
    nodes[id] = copy;
    return copy;
  }

  /** Change the spend of an activation, of all that enclose it, of their nodes, and of the run. */
  spend(key: string, at: number, change: (spend: Spend) => Spend): void {
    const keys = [...ancestorsOf(key), key];
    for (const each of keys) {
      const activation = this.activation(each, at);
      activation.spend = change(activation.spend);
    }
    for (const id of new Set(keys.map(nodeOfKey))) {
      const node = this.node(id);
      node.spend = change(node.spend);
    }
    this.view.spend = change(this.view.spend);
  }

  #own<T extends object>(value: T): T {
    if (this.#owned.has(value)) return value;
    const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as T;
    this.#owned.add(copy);
    return copy;
  }

  #create(key: string, at: number): ActivationView {
    const activation = newActivation(key, at);
    this.#owned.add(activation);
    this.part('order').push(key);
    this.view.live = [...this.view.live, key];
    if (undoneBy(key) !== null) return activation;
    const node = this.node(activation.node);
    node.keys = [...node.keys, key];
    node.latest = key;
    node.visits += 1;
    node.counts = { ...node.counts, queued: (node.counts.queued ?? 0) + 1 };
    this.#summarise(node);
    return activation;
  }

  #summarise(node: NodeView): void {
    const urgent = URGENCY.find((status) => (node.counts[status] ?? 0) > 0);
    node.status = urgent ?? this.view.activations[node.latest]?.status ?? 'queued';
  }
}

function newActivation(key: string, at: number): ActivationView {
  return {
    key,
    node: nodeOfKey(key),
    visit: Number(key.slice(key.lastIndexOf('#') + 1)) || 1,
    parent: ancestorsOf(key).at(-1) ?? null,
    item: undefined,
    status: 'queued',
    waitingOn: null,
    waitingUntil: null,
    attempt: 0,
    maxAttempts: 1,
    retryAt: null,
    waitsFor: null,
    queuedAt: at,
    startedAt: null,
    endedAt: null,
    segments: [],
    steps: [],
    spend: NO_SPEND,
    output: undefined,
    pinned: false,
    writes: null,
    condition: null,
    intent: null,
    infra: undefined,
    error: null,
    attemptErrors: [],
    interrupts: [],
    childRuns: [],
    children: [],
    rows: [],
    firstSeq: 0,
    lastSeq: 0,
  };
}

/**
 * The bars of the timeline: rows of activations in the order they were queued, placed between 0 and 1.
 * Stretches in which nothing but people and timers were waited for are drawn short: a day of waiting
 * must not squeeze a minute of work into a line.
 */

import { standingOf } from '../ended/rejected.ts';
import { sleepsUntil } from '../waits/asleep.ts';
import type { ActivationStatus, RunView, Segment, SegmentKind } from '../fold/model.ts';

export interface Bar {
  kind: SegmentKind;
  failed: boolean;
  attempt: number | null;
  start: number;
  width: number;
  ms: number;
}

export interface Row {
  key: string;
  node: string;
  depth: number;
  status: ActivationStatus | 'rejected';
  bars: Bar[];
  durationMs: number;
  /** Until when it waits for a moment; null where it does not. */
  sleepsUntil: number | null;
}

export interface Timeline {
  from: number;
  to: number;
  rows: Row[];
  /** Where an instant is drawn. */
  place: (at: number) => number;
  /** The stretches that are drawn short, in places. */
  short: { start: number; width: number; ms: number }[];
}

/** The kinds of stretches that rows show, in the order in which a legend names them. */
export function kindsIn(rows: readonly Pick<Row, 'bars'>[]): SegmentKind[] {
  const shown = new Set(rows.flatMap(({ bars }) => bars.map(({ kind }) => kind)));
  return LEGEND.filter((kind) => shown.has(kind));
}

const LEGEND: readonly SegmentKind[] = [
  'attempt',
  'person',
  'in_doubt',
  'timer',
  'backoff',
  'children',
  'run',
  'queued',
];
const BUSY: ReadonlySet<SegmentKind> = new Set<SegmentKind>(['queued', 'attempt', 'backoff']);
/** A gap longer than this share of the busy time is drawn as this share of it. */
const GAP_SHARE = 0.12;
/** The same of the wait that goes on now: it is what happens, not what lies between. */
const NOW_SHARE = 2;

/** Return the timeline of a view; `now` closes what is still open. */
export function timelineOf(view: RunView, now: number): Timeline {
  const from = view.startedAt ?? view.at ?? now;
  const to = Math.max(view.endedAt ?? now, view.at ?? 0, from + 1);
  const segments = Object.values(view.activations).flatMap((activation) => activation.segments);
  const { place, short } = scaleOf(segments, from, to);
  const rows = view.order.flatMap((key): Row[] => {
    const activation = view.activations[key];
    if (activation === undefined) return [];
    const status = standingOf(activation);
    const bars = activation.segments.map((segment) => barOf(segment, to, place));
    return [
      {
        key,
        node: activation.node,
        depth: key.split('/').length - 1,
        status,
        bars: status === 'rejected' ? bars.map((bar) => ({ ...bar, failed: false })) : bars,
        durationMs: (activation.endedAt ?? to) - activation.queuedAt,
        sleepsUntil: sleepsUntil(activation),
      },
    ];
  });
  return { from, to, rows: nested(rows), place, short };
}

function barOf(segment: Segment, to: number, place: (at: number) => number): Bar {
  const end = Math.max(segment.from, Math.min(segment.to ?? to, to));
  const start = place(segment.from);
  const { kind, failed, attempt } = segment;
  return { kind, failed, attempt, start, width: place(end) - start, ms: end - segment.from };
}

interface Stretch {
  from: number;
  to: number;
  busy: boolean;
}

/** Busy stretches and the gaps between them, covering `from` to `to` without overlap. */
function stretches(segments: readonly Segment[], from: number, to: number): Stretch[] {
  const busy = segments
    .filter((segment) => BUSY.has(segment.kind))
    .map((segment) => ({ from: Math.max(segment.from, from), to: Math.min(segment.to ?? to, to) }))
    .sort((a, b) => a.from - b.from);
  const out: Stretch[] = [];
  let at = from;
  for (const each of busy) {
    if (each.to <= at) continue;
    if (each.from > at) out.push({ from: at, to: each.from, busy: false });
    out.push({ from: Math.max(each.from, at), to: each.to, busy: true });
    at = each.to;
  }
  if (at < to) out.push({ from: at, to, busy: false });
  return out;
}

function scaleOf(
  segments: readonly Segment[],
  from: number,
  to: number,
): Pick<Timeline, 'place' | 'short'> {
  const parts = stretches(segments, from, to);
  const work = parts.reduce((sum, part) => sum + (part.busy ? part.to - part.from : 0), 0);
  const isOpen = segments.some((segment) => segment.to === null && !BUSY.has(segment.kind));
  const sized = parts.map((part) => {
    const ms = part.to - part.from;
    const share = isOpen && part === parts.at(-1) ? NOW_SHARE : GAP_SHARE;
    const most = Math.max(work * share, 1);
    const isShort = !part.busy && work > 0 && ms > most;
    return { ...part, ms, isShort, size: isShort ? most : ms };
  });
  const total = sized.reduce((sum, part) => sum + part.size, 0) || 1;
  let start = 0;
  const placed = sized.map((part) => {
    const here = { ...part, start, width: part.size / total };
    start += here.width;
    return here;
  });
  return {
    short: placed
      .filter((part) => part.isShort)
      .map(({ start: at, width, ms }) => ({ start: at, width, ms })),
    place: (at) => {
      const part = placed.find((each) => at < each.to) ?? placed.at(-1);
      if (part === undefined || at <= from) return 0;
      return Math.min(
        1,
        part.start + (part.width * Math.min(at - part.from, part.ms)) / (part.ms || 1),
      );
    },
  };
}

/** Children stand below their parent, otherwise the order of queueing is kept. */
function nested(rows: Row[]): Row[] {
  const byParent = new Map<string, Row[]>();
  const known = new Set(rows.map((row) => row.key));
  for (const row of rows) {
    const parent = row.key.includes('/') ? row.key.slice(0, row.key.lastIndexOf('/')) : '';
    const home = known.has(parent) ? parent : '';
    byParent.set(home, [...(byParent.get(home) ?? []), row]);
  }
  const walk = (parent: string): Row[] =>
    (byParent.get(parent) ?? []).flatMap((row) => [row, ...walk(row.key)]);
  return walk('');
}

/** Names a node by its id. */
export type NodeName = (id: string) => string;

/** `mapper#1/worker[0]#1` → `worker · item 1`, later visits with their number: `review#2` → `review · visit 2`; `charge[undo1]#1` → `undo of charge`. */
export function labelOf(key: string, nameOf: NodeName = (id) => id): string {
  const { name, place } = labelParts(key, nameOf);
  return name + place;
}

/** The same in two parts, of which the second must not be cut: ` · item 3 · visit 2`. */
export function labelParts(
  key: string,
  nameOf: NodeName = (id) => id,
): { name: string; place: string } {
  const last = key.slice(key.lastIndexOf('/') + 1);
  const [place = last, visit = '1'] = last.split('#');
  const [, node = place, slot = ''] = /^(.*)\[(\d+|undo\d+)\]$/.exec(place) ?? [];
  const undo = slot.startsWith('undo');
  const item = undo || slot === '' ? '' : ` · item ${Number(slot) + 1}`;
  return {
    name: undo ? `undo of ${nameOf(node)}` : nameOf(node),
    place: visit === '1' ? item : `${item} · visit ${visit}`,
  };
}

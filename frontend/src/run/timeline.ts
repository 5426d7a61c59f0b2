/** The bars of the timeline: rows of activations in the order they were queued, placed between 0 and 1. */

import type { ActivationStatus, RunView, SegmentKind } from './model.ts';

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
  label: string;
  status: ActivationStatus;
  bars: Bar[];
  durationMs: number;
}

export interface Timeline {
  from: number;
  to: number;
  rows: Row[];
}

/** Return the timeline of a view; `now` closes what is still open. */
export function timelineOf(view: RunView, now: number): Timeline {
  const from = view.startedAt ?? view.at ?? now;
  const to = Math.max(view.endedAt ?? now, view.at ?? 0, from + 1);
  const rows = view.order.flatMap((key) => {
    const activation = view.activations[key];
    if (activation === undefined) return [];
    const bars = activation.segments.map((segment): Bar => {
      const end = Math.min(segment.to ?? to, to);
      return {
        kind: segment.kind,
        failed: segment.failed,
        attempt: segment.attempt,
        start: (segment.from - from) / (to - from),
        width: Math.max(0, end - segment.from) / (to - from),
        ms: Math.max(0, end - segment.from),
      };
    });
    const row: Row = {
      key,
      node: activation.node,
      depth: key.split('/').length - 1,
      label: labelOf(key),
      status: activation.status,
      bars,
      durationMs: (activation.endedAt ?? to) - activation.queuedAt,
    };
    return [row];
  });
  return { from, to, rows: nested(rows) };
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
  const walk = (parent: string): Row[] => (byParent.get(parent) ?? []).flatMap((row) => [row, ...walk(row.key)]);
  return walk('');
}

/** `mapper#1/worker[0]#1` → `worker[0]`, later visits with their number: `review#2` → `review · visit 2`. */
export function labelOf(key: string): string {
  const last = key.slice(key.lastIndexOf('/') + 1);
  const [name = last, visit = '1'] = last.split('#');
  return visit === '1' ? name : `${name} · visit ${visit}`;
}

/** Round instants for an axis of about `count` marks, in milliseconds from the start. */
export function ticksOf(spanMs: number, count = 6): number[] {
  const rough = spanMs / count;
  const unit = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, index) => index * step);
}

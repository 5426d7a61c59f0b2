/** Deciding several items at once: only approvals of the same node that show the same fields. */

import type { Interrupt } from '../../../api/types/types.ts';
import { isObject } from '../../../run/values/json.ts';

/** What items that may be decided together have in common; null where an item is decided by itself. */
export function shapeOf(item: Interrupt): string | null {
  if (
    item.kind !== 'approval' ||
    item.status !== 'open' ||
    !item.can_decide ||
    item.my_decision !== null
  )
    return null;
  const { data } = item.request;
  const names = isObject(data) ? Object.keys(data).toSorted() : [];
  return JSON.stringify([item.run.graph.id, item.node, names]);
}

/** The items that can be picked beside what is picked already: those whose shape others share. */
export function pickable(items: readonly Interrupt[], picked: ReadonlySet<string>): Set<string> {
  const shapes = new Map(items.map((item) => [item.request_id, shapeOf(item)]));
  const first = items.find((item) => picked.has(item.request_id));
  const wanted = first ? shapes.get(first.request_id) : undefined;
  const count = (shape: string) =>
    items.filter((item) => shapes.get(item.request_id) === shape).length;
  return new Set(
    items.flatMap(({ request_id: id }) => {
      const shape = shapes.get(id);
      return shape && (wanted === undefined ? count(shape) > 1 : shape === wanted) ? [id] : [];
    }),
  );
}

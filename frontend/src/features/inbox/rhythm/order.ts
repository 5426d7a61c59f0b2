/** The order of the list while one decides: it stands still, and what arrives waits. */

interface Arranged {
  order: readonly string[];
  fresh: readonly string[];
  gone: ReadonlySet<string>;
}

/**
 * The order after the list was asked for again. What is known keeps its place; what is new comes in at
 * the end where it stands after all that is known, else it waits. What is not there any more is gone,
 * unless the list only ends before it (`complete` is false).
 */
export function arrange(
  before: Arranged,
  ids: readonly string[],
  complete: boolean,
  held: ReadonlySet<string>,
): Arranged {
  const known = new Set(before.order);
  const present = new Set(ids);
  const lastKnown = ids.findLastIndex((id) => known.has(id));
  const later = ids.filter((id, place) => place > lastKnown && !known.has(id));
  const waiting = new Set(before.fresh);
  const isAppended = lastKnown >= 0 || before.order.length === 0;
  const appended = isAppended ? later.filter((id) => !waiting.has(id)) : [];
  const added = new Set(appended);
  const fresh = ids.filter((id) => !known.has(id) && !added.has(id));
  const lastPresent = before.order.findLastIndex((id) => present.has(id));
  const gone = new Set(before.gone);
  for (const id of ids) if (!held.has(id)) gone.delete(id);
  before.order.forEach((id, place) => {
    if (!present.has(id) && (complete || place < lastPresent)) gone.add(id);
  });
  return { order: [...before.order, ...appended], fresh, gone };
}

/** The item that opens after this one was decided: the next in order, else the one before; null for none. */
export function nextOf(
  order: readonly string[],
  gone: ReadonlySet<string>,
  id: string,
): string | null {
  const place = order.indexOf(id);
  const ahead = order.slice(place + 1);
  const behind = order.slice(0, Math.max(place, 0)).toReversed();
  return [...ahead, ...behind].find((each) => each !== id && !gone.has(each)) ?? null;
}

/** The item so many steps on (or back) from the cursor; null where the order ends before that. */
export function stepOf(
  order: readonly string[],
  gone: ReadonlySet<string>,
  cursor: string | null,
  by: number,
): string | null {
  const place = cursor === null ? -1 : order.indexOf(cursor);
  const way = by > 0 ? order.slice(place + 1) : order.slice(0, Math.max(place, 0)).toReversed();
  return way.filter((id) => !gone.has(id))[Math.abs(by) - 1] ?? null;
}

/** Those from one place to another, both with it; only the last where the first has left. */
export function between(order: readonly string[], from: string, to: string): readonly string[] {
  const places = [order.indexOf(from), order.indexOf(to)].sort((a, b) => a - b);
  const [first = -1, last = -1] = places;
  return first < 0 ? [to] : order.slice(first, last + 1);
}

/** The order with what has arrived at its place of the list: after what it follows there, else on top. */
export function placed(
  order: readonly string[],
  fresh: readonly string[],
  listed: readonly string[],
): readonly string[] {
  const known = new Set(order);
  const arrived = new Set(fresh);
  const first: string[] = [];
  const behind = new Map<string, string[]>();
  let after = first;
  for (const id of listed) {
    if (known.has(id)) behind.set(id, (after = []));
    else if (arrived.delete(id)) after.push(id);
  }
  return [...arrived, ...first, ...order.flatMap((id) => [id, ...(behind.get(id) ?? [])])];
}

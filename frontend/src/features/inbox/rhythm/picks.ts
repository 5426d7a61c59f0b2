/** Sets of picked items, as values. */

/** Those that fit; the same set where all do. */
export function kept(ids: ReadonlySet<string>, fits: (id: string) => boolean): ReadonlySet<string> {
  const left = [...ids].filter(fits);
  return left.length === ids.size ? ids : new Set(left);
}

export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? kept(ids, (each) => each !== id) : new Set([...ids, id]);
}

/** The picks after a step with Shift: both ends are picked; a step back onto a picked one lets go of where it came from. */
export function extended(ids: ReadonlySet<string>, from: string, to: string): ReadonlySet<string> {
  return ids.has(from) && ids.has(to)
    ? kept(ids, (id) => id !== from)
    : new Set([...ids, from, to]);
}

/** The picks after a range with Shift: all of it become what its end becomes. */
export const ranged = (
  ids: ReadonlySet<string>,
  range: readonly string[],
  to: string,
): ReadonlySet<string> =>
  ids.has(to) ? kept(ids, (id) => !range.includes(id)) : new Set([...ids, ...range]);

import { useEffect, useRef } from 'react';

/**
 * Call `tell` with those of `rows` that came since the page was opened and are not on screen, and
 * `done` with the ids of those that have left.
 */
export function useFresh<T extends { id: string }>(
  rows: readonly T[] | undefined,
  isElsewhere: (row: T) => boolean,
  tell: (fresh: readonly T[]) => void,
  done: (ids: readonly string[]) => void,
): void {
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!rows) return;
    const before = known.current;
    const now = new Set(rows.map(({ id }) => id));
    known.current = new Set([...(before ?? []), ...now]);
    done([...(before ?? [])].filter((id) => !now.has(id)));
    const fresh = before ? rows.filter((row) => !before.has(row.id) && isElsewhere(row)) : [];
    if (fresh.length > 0) tell(fresh);
  }, [rows, isElsewhere, tell, done]);
}

import { useEffect, useMemo, useState } from 'react';
import { type Action, useActions } from '../../../actions/registry.ts';

interface ListKeys {
  /** What the rows are called in the sheet of shortcuts. */
  group: string;
  ids: readonly string[];
  open: (id: string) => void;
  /** Further actions on the row with the cursor. */
  more?: (id: string) => readonly Action[];
  /** Actions on the list, also while no row has the cursor. */
  whole?: readonly Action[];
}

/** J, K and Enter on a list: gives the row with the cursor, which follows its row and not its place. */
export function useListKeys({ group, ids, open, more, whole }: ListKeys): string | null {
  const [at, setAt] = useState<{ id: string; place: number } | null>(null);
  const found = at === null ? -1 : ids.indexOf(at.id);
  const place = found >= 0 ? found : Math.min(at?.place ?? -1, ids.length - 1);
  const current = ids[place] ?? null;
  const actions = useMemo<Action[]>(() => {
    const go = (to: number) => {
      const next = Math.max(0, Math.min(to, ids.length - 1));
      const id = ids[next];
      if (id !== undefined) setAt({ id, place: next });
    };
    return [
      {
        id: `${group}.next`,
        label: 'Next row',
        group,
        keys: ['J', 'ArrowDown'],
        quiet: true,
        run: () => go(place + 1),
      },
      {
        id: `${group}.previous`,
        label: 'Row before',
        group,
        keys: ['K', 'ArrowUp'],
        quiet: true,
        run: () => go(place - 1),
      },
      {
        id: `${group}.open`,
        label: 'Open the row',
        group,
        keys: ['Enter'],
        quiet: true,
        enabled: () => current !== null && !onControl(),
        run: () => (current === null ? undefined : open(current)),
      },
      ...(current === null ? [] : (more?.(current) ?? [])),
      ...(whole ?? []),
    ];
  }, [group, ids, place, current, open, more, whole]);
  useActions(actions);
  useEffect(() => {
    if (current !== null)
      document
        .querySelector(`[data-row="${CSS.escape(current)}"]`)
        ?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return current;
}

/** Whether Enter already means something where the focus is. */
function onControl(): boolean {
  return document.activeElement?.closest('a, button, [role="option"]') !== null;
}

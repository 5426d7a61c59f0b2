import { useState } from 'react';
import type { RowPicks } from '../../../ui/table/DataTable.tsx';

/** The rows that are picked, of those that are shown; in another folder nothing is. */
export function usePicks(
  rows: readonly { id: string }[],
  folder: string,
): RowPicks & { clear: () => void } {
  const [state, setState] = useState({ folder, ids: new Set<string>(), last: '' });
  const now = state.folder === folder ? state : { folder, ids: new Set<string>(), last: '' };
  const order = rows.map(({ id }) => id);
  const picked = new Set(order.filter((id) => now.ids.has(id)));
  const set = (ids: Set<string>, last = '') => setState({ folder, ids, last });
  return {
    picked,
    clear: () => set(new Set()),
    toggleAll: () => set(picked.size === order.length ? new Set() : new Set(order)),
    toggle: (id, range) => {
      const [from, to] = [order.indexOf(now.last), order.indexOf(id)];
      const next = new Set(picked);
      if (range && from >= 0)
        for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
      else if (!next.delete(id)) next.add(id);
      set(next, id);
    },
  };
}

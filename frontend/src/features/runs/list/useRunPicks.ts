import { useMemo, useState } from 'react';
import type { RunSummary } from '../../../api/types/types.ts';

interface Picks {
  ids: ReadonlySet<string>;
  /** Every run that the list shows, also those that are not loaded. */
  all: boolean;
  last: string | null;
}
const NONE: Picks = { ids: new Set(), all: false, last: null };

/** The picked runs of a list; `question` is what the list asks for: another one picks nothing. */
export function useRunPicks(rows: readonly RunSummary[], question: string) {
  const [state, setState] = useState<{ question: string; picks: Picks }>({ question, picks: NONE });
  const picks = state.question === question ? state.picks : NONE;
  return useMemo(() => {
    const set = (next: Picks) => setState({ question, picks: next });
    const order = rows.map((run) => run.id);
    const picked = new Set(picks.all ? order : order.filter((id) => picks.ids.has(id)));
    const toggle = (id: string, range: boolean) => {
      const next = new Set(picked);
      const from = range && picks.last !== null ? order.indexOf(picks.last) : -1;
      const to = order.indexOf(id);
      if (from >= 0)
        for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
      else if (!next.delete(id)) next.add(id);
      set({ ids: next, all: false, last: id });
    };
    const every = order.length > 0 && order.every((id) => picked.has(id));
    return {
      picked,
      all: picks.all,
      toggle,
      toggleAll: () => set(every ? NONE : { ids: new Set(order), all: false, last: null }),
      pickAll: () => set({ ids: new Set(order), all: true, last: null }),
      clear: () => set(NONE),
    };
  }, [rows, question, picks]);
}

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { valuesQuery } from '../../api/http/runs/valuesQuery.ts';
import type { NodeTypeInfo } from '../../api/types/types.ts';
import { START } from '../../graph/document/document.ts';
import { eachType, type List, listsOf, withEach } from '../../graph/editing/forEach.ts';
import { useEditor } from '../../store/editor.ts';
import { type Fresh, tiedTo } from '../placing.ts';
import type { QuickState } from '../useCanvasGestures.ts';

/** The node whose answer comes to where the palette was asked for; null where none does. */
export function sourceOf({ wire, edge }: QuickState): string | null {
  if (edge) return useEditor.getState().records.edges.get(edge)?.source ?? null;
  const from = wire ?? tiedTo(null);
  return from?.direction === 'from' ? from.node : null;
}

/** How a node begins that does a step with each item of a list. */
const freshFor = (list: List): Fresh => ({
  title: list.titles[0],
  grow: (records, id) => {
    const { types, reserved } = useEditor.getState();
    return withEach(records, id, { types, list, reserved });
  },
});

/** What the palette offers for the lists that come here: a step for each of their items. */
export function useListRows(types: readonly NodeTypeInfo[], quick: QuickState) {
  const records = useEditor((state) => state.records);
  const byName = useEditor((state) => state.types);
  const graph = useEditor((state) => state.graphId);
  const revision = useEditor((state) => state.revision);
  const source = useMemo(() => sourceOf(quick), [quick]);
  const { data } = useQuery({
    ...valuesQuery({ graph, run: null, stands: null, revision }, ''),
    enabled: source !== null && source !== START,
  });
  const each = eachType(types);
  if (source === null || !each) return [];
  return listsOf(records, byName, source, data?.values).map((list) => ({
    key: `each ${list.path}`,
    type: each.type,
    name: `For each of ${list.name}`,
    help: 'An agent of its own does a step with each item.',
    fresh: freshFor(list),
  }));
}

/** Whether words of a search begin words of a name. */
export function says(name: string, search: string): boolean {
  const words = name.toLowerCase().split(/\W+/);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

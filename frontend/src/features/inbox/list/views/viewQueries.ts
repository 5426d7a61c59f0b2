/** Views of the inbox that people save: a list's filter and order under a name. */

import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../../api/http/client.ts';
import { type InterruptFilter, noNarrowing } from '../../../../api/http/lists.ts';
import type * as served from '../../../../api/types/schema.gen.ts';
import type { Page } from '../../../../api/types/types.ts';
import { sameJson } from '../../../../run/values/json.ts';

export type SavedView = served.SavedViewOut;

/** The saved views; the key begins with `interrupts`, so that a bell counts them anew. */
export const savedViewsQuery = queryOptions({
  queryKey: ['interrupts', 'views'],
  queryFn: async () => (await api.get<Page<SavedView>>('inbox-views/')).results,
});

/** Keep a view; one of the same name gives way to it. */
export const save = ({ name, query, shared }: Pick<SavedView, 'name' | 'query' | 'shared'>) =>
  api.post<SavedView>('inbox-views/', { name, query, shared });

/** Change one's own view; what is left out stays. */
export const changeView = (
  { id }: Pick<SavedView, 'id'>,
  part: Partial<Pick<SavedView, 'name' | 'query' | 'shared'>>,
) => api.patch<SavedView>(`inbox-views/${id}/`, part);

/** A filter as it is saved: without what says nothing. */
export function queryOf(filter: InterruptFilter): Record<string, string> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** How the list is ordered where nobody says how. */
export const usualOrder = (state: string | undefined): string =>
  state === 'done' ? '-decided' : 'deadline';

/** Whether a view is what the list shows. */
export const isShown = ({ query }: SavedView, filter: InterruptFilter): boolean =>
  sameJson({ ordering: usualOrder(query.state), ...query }, queryOf(filter));

/** Whether nobody has narrowed or ordered anything: what the inbox shows by itself. */
export const isUsual = (filter: InterruptFilter): boolean =>
  sameJson(queryOf(filter), { state: 'open', view: 'decide', ordering: 'deadline' }) ||
  sameJson(queryOf(filter), { state: 'done', ordering: '-decided' });

/** What the address says for a view: everything else is taken out of it. */
export function partOf({ query }: SavedView): Record<string, string | null> {
  const { state, view, ordering, ...narrowed } = query;
  return {
    ...noNarrowing,
    ...narrowed,
    state: state === 'done' ? 'done' : null,
    view: view ?? (state === 'done' ? null : 'all'),
    ordering: ordering ?? null,
  };
}

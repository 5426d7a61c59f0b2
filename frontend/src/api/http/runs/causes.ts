import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Page } from '../../types/types.ts';
import type * as served from '../../types/schema.gen.ts';
import { api } from '../client.ts';

/** Failures of one workflow at one step with alike messages (`docs/api.md`). */
export type Cause = served.CauseOut;
export type CauseState = 'open' | 'muted' | 'resolved';

/** What becomes of a cause; `until` goes with `muted`, an empty `assignee` is nobody. */
export interface CauseChange {
  state?: CauseState;
  until?: string;
  assignee?: string;
}

export type CauseOrder = '-last' | '-count' | 'first';

/** Causes in one state, a page at a time, the latest failure first without an order; their keys begin with `runs`, so a bell refreshes them. */
export const causesQuery = (filter: {
  state: CauseState;
  graph?: string;
  ordering?: CauseOrder;
  since?: string;
  until?: string;
}) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'causes', filter],
    queryFn: ({ pageParam }) => api.get<Page<Cause>>('causes/', { ...filter, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

export const causeQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'cause', id],
    queryFn: () => api.get<Cause>(`causes/${id}/`),
  });

export const changeCause = (id: string, change: CauseChange) =>
  api.patch<Cause>(`causes/${id}/`, change);

/** Whether every run of a cause completed when it was tried again, so that none is left to do. */
export const isMended = ({ count, mended }: Pick<Cause, 'count' | 'mended'>): boolean =>
  count > 0 && mended >= count;

/** What became of the runs that were tried again. */
export function triedAgain({
  count,
  retried,
  mended,
}: Pick<Cause, 'count' | 'retried' | 'mended'>): string {
  if (mended === count)
    return count === 1 ? 'completed when tried again' : `all ${count} completed when tried again`;
  if (mended === 0) return `${retried} tried again`;
  return `${retried} tried again, ${mended} of them completed`;
}

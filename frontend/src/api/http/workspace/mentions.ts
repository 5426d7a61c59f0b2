/** What comments say to the person at the page: whom they name, and answers where the person spoke. */

import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import type { Mention, Page } from '../../types/types.ts';
import { api } from '../client.ts';

const MOST_UNREAD = 200;
const AT = 'mentions/';

/** All of it, the newest first. */
export const mentionsQuery = infiniteQueryOptions({
  queryKey: ['mentions', 'all'],
  queryFn: ({ pageParam }) => api.get<Page<Mention>>(AT, { cursor: pageParam }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next ?? undefined,
});

/** What is not read yet, the newest first; the newest only where it is very much. */
export const unreadQuery = queryOptions({
  queryKey: ['mentions', 'unread'],
  queryFn: async () =>
    (await api.get<Page<Mention>>(AT, { state: 'unread', limit: MOST_UNREAD })).results,
});

/** How much is not read yet: in one workflow, or in all of them. */
export const useUnread = (graphId?: string): number =>
  useQuery({
    ...unreadQuery,
    select: (rows) => rows.filter(({ graph }) => !graphId || graph.id === graphId).length,
  }).data ?? 0;

/** Take a thread as read, or everything. */
export const readMentions = (thread?: string) =>
  api.post<null>(`${AT}read/`, thread === undefined ? {} : { thread });

/** What people say to the person at the page: words that name them, and answers where they spoke. */

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

/** How much is not read yet: on the cards of one workflow, or in all. */
export const useUnread = (graphId?: string): number =>
  useQuery({
    ...unreadQuery,
    select: (rows) =>
      rows.filter(({ thread, graph }) => !graphId || (thread && graph?.id === graphId)).length,
  }).data ?? 0;

/** A thread, or an item of the inbox. */
export interface Read {
  thread?: string;
  item?: string;
}

/** Take a thread or an item as read, or everything. */
export const readMentions = (what: Read = {}) => api.post<null>(`${AT}read/`, what);

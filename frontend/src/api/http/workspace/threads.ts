/** What people say on the cards of a draft. */

import { queryOptions } from '@tanstack/react-query';
import type { CardComment, CardThread, CardThreadDetail, Page } from '../../types/types.ts';
import { api } from '../client.ts';

/** Plain text, and the ids of members whom it names as `@name`. */
export interface Said {
  text: string;
  mentions: string[];
}

/** All open threads come at once: a workflow has no more. */
const MOST_OPEN = 200;
const MOST_RESOLVED = 50;
const at = (graphId: string, threadId?: string) =>
  threadId === undefined ? `graphs/${graphId}/threads/` : `graphs/${graphId}/threads/${threadId}/`;

const listQuery = (graphId: string, state: 'open' | 'resolved', limit: number) =>
  queryOptions({
    queryKey: ['threads', graphId, state],
    queryFn: async () => (await api.get<Page<CardThread>>(at(graphId), { state, limit })).results,
  });

export const openThreadsQuery = (graphId: string) => listQuery(graphId, 'open', MOST_OPEN);

/** The newest of those that were resolved. */
export const resolvedThreadsQuery = (graphId: string) =>
  listQuery(graphId, 'resolved', MOST_RESOLVED);

export const threadQuery = (graphId: string, threadId: string) =>
  queryOptions({
    queryKey: ['threads', graphId, 'one', threadId],
    queryFn: () => api.get<CardThreadDetail>(at(graphId, threadId)),
    retry: false,
  });

export const beginThread = (graphId: string, node: string, said: Said) =>
  api.post<CardThreadDetail>(at(graphId), { node, ...said });

export const replyIn = (graphId: string, threadId: string, said: Said) =>
  api.post<CardComment>(`${at(graphId, threadId)}comments/`, said);

export const changeComment = (graphId: string, threadId: string, id: string, said: Said) =>
  api.patch<CardComment>(`${at(graphId, threadId)}comments/${id}/`, said);

export const deleteComment = (graphId: string, threadId: string, id: string) =>
  api.delete(`${at(graphId, threadId)}comments/${id}/`);

export const resolveThread = (graphId: string, threadId: string, resolved: boolean) =>
  api.patch<CardThreadDetail>(at(graphId, threadId), { resolved });

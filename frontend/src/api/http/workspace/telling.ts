/** Where people and programs are told of what happens, by which rules, and what was told (`docs/notifications.md`). */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type * as served from '../../types/schema.gen.ts';
import type { Page } from '../../types/types.ts';
import { api } from '../client.ts';
import { allRows } from '../queries.ts';

export type Of = 'me' | 'workspace';
export type Channel = served.ChannelOut;
export type NewChannel = served.NewChannelOut;
export type ChannelKind = Channel['kind'];
export type Rule = served.RuleOut;
export type RuleWhen = Rule['when'];
export type Notice = served.NoticeOut;
export type Tried = served.TestOut;

/** What can be set of a channel; what is left out stays, and `quiet: null` is none. */
export interface ChannelChange {
  name?: string;
  address?: string;
  key?: string;
  zone?: string;
  quiet?: { begin: string; end: string } | null;
  on?: boolean;
}

/** What can be set of a rule. */
export interface RuleChange {
  kinds: string[];
  graph: string | null;
  folder: string;
  tag: string;
  minutes: number | null;
  mine: boolean;
  when: RuleWhen;
  at: string;
}

export const channelsQuery = (of: Of) =>
  queryOptions({
    queryKey: ['telling', of, 'channels'],
    queryFn: () => allRows<Channel>('channels/', { of }),
  });
export const rulesQuery = (of: Of) =>
  queryOptions({
    queryKey: ['telling', of, 'rules'],
    queryFn: () => allRows<Rule>('notice-rules/', { of }),
  });

/** What was told, the newest first; looked at again while it is shown. */
export const noticesQuery = (of: Of, channel: string | null) =>
  infiniteQueryOptions({
    queryKey: ['telling', of, 'notices', channel],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Notice>>(
        'notices/',
        { of, cursor: pageParam, limit: 20, ...(channel ? { channel } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: 5_000,
  });

export const createChannel = (wanted: ChannelChange & { of: Of; kind: ChannelKind }) =>
  api.post<NewChannel>('channels/', wanted);
export const changeChannel = (id: string, change: ChannelChange) =>
  api.patch<Channel>(`channels/${id}/`, change);
export const deleteChannel = (id: string) => api.delete(`channels/${id}/`);

/** A test; to a channel of one's own that is not verified, a code. */
export const testChannel = (id: string) => api.post<Tried>(`channels/${id}/test/`, {});
export const verifyChannel = (id: string, code: string) =>
  api.post<Channel>(`channels/${id}/verify/`, { code });

/** Another secret: it is in this answer only. */
export const newChannelSecret = (id: string) =>
  api.post<served.WebhookSecretOut>(`channels/${id}/secret/`, {});

export const createRule = (channel: string, wanted: RuleChange) =>
  api.post<Rule>('notice-rules/', { channel, ...wanted });
export const changeRule = (id: string, wanted: RuleChange) =>
  api.patch<Rule>(`notice-rules/${id}/`, wanted);
export const deleteRule = (id: string) => api.delete(`notice-rules/${id}/`);
export const tellAgain = (id: string) => api.post<Notice>(`notices/${id}/again/`, {});

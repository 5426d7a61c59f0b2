import type * as served from '../../types/schema.gen.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../client.ts';
import type { Page } from '../../types/types.ts';

export type FactGraph = served.FactGraph;
export type Fact = served.FactOut;
export type Entity = served.EntityOut;
export type FactRevision = served.RevisionOut;
export type FactDetail = served.FactDetail;
export type FactDraft = served.FactBody;
export interface FactFilter {
  search?: string;
  tag?: string;
  entity?: string;
  graph?: string;
  run?: string;
}

/** Everything about facts is asked again under this key. */
export const factsKey = ['facts'] as const;

/** Facts, the newest or the most relevant first, a page at a time. */
export const factsQuery = (filter: FactFilter) =>
  infiniteQueryOptions({
    queryKey: [...factsKey, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Fact>>('facts/', { ...filter, cursor: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

export const factQuery = (id: string) =>
  queryOptions({
    queryKey: [...factsKey, 'one', id],
    queryFn: () => api.get<FactDetail>(`facts/${id}/`),
  });

export const factTagsQuery = queryOptions({
  queryKey: [...factsKey, 'tags'],
  queryFn: async () => (await api.get<Page<{ tag: string; facts: number }>>('fact-tags/')).results,
});

export const entitiesQuery = (search: string) =>
  queryOptions({
    queryKey: [...factsKey, 'entities', search],
    queryFn: () => api.get<Page<Entity>>('entities/', { search, limit: 200 }),
  });

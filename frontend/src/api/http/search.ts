import { queryOptions } from '@tanstack/react-query';
import type { Page } from '../types/types.ts';
import type * as served from '../types/schema.gen.ts';
import { api } from './client.ts';

export type Found = served.FoundOut;
const LEAST = 2;
const MOST = 100;

/** What is meant by a few words, five of a kind at most; nothing is asked for a single letter. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: () => api.get<Page<Found>>('search/', { q: text }),
    enabled: text.length >= LEAST && text.length <= MOST,
    staleTime: 10_000,
  });

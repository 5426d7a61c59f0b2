import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import type { Page } from '../types/types.ts';

/** A browser in which one is signed in. */
export interface SignedIn {
  id: string;
  current: boolean;
  client: string;
  address: string;
  created_at: string;
  last_seen_at: string;
}

export const SHORTEST_PASSWORD = 10;
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await api.get<Page<SignedIn>>('sessions/')).results,
});

import type * as served from '../../../types/schema.gen.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../client.ts';
import type { Page } from '../../../types/types.ts';

/** A browser in which one is signed in. */
export type SignedIn = served.SignInOut;

export const SHORTEST_PASSWORD = 10;
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await api.get<Page<SignedIn>>('sessions/')).results,
});

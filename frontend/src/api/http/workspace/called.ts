/** How programs call a workflow (`docs/being-called.md`), and what there is to call. */

import { queryOptions } from '@tanstack/react-query';
import type * as served from '../../types/schema.gen.ts';
import type { Json } from '../../types/types.ts';
import { api, request } from '../client.ts';

export type Offer = served.OfferOut;

export const offerQuery = (graphId: string) =>
  queryOptions({
    queryKey: ['offer', graphId],
    queryFn: () => api.get<Offer>(`graphs/${graphId}/offer/`),
  });

export const changeOffer = (graphId: string, body: Pick<Offer, 'tool_name' | 'chat'>) =>
  request<Offer>('PUT', `graphs/${graphId}/offer/`, { body });

export interface Shape {
  [keyword: string]: Json | undefined;
}

/** One thing that can be asked, as the served schema tells it. */
export interface ServedOperation {
  operationId?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content?: Record<string, { schema?: Shape }> };
  responses?: Record<string, { content?: Record<string, { schema?: Shape }> }>;
}

export interface ServedSchema {
  paths: Record<string, Record<string, ServedOperation>>;
  components: { schemas: Record<string, Shape> };
}

export const schemaQuery = queryOptions({
  queryKey: ['api-schema'],
  queryFn: () => api.get<ServedSchema>('schema/'),
  staleTime: Number.POSITIVE_INFINITY,
});

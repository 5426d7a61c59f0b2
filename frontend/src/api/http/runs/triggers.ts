/** What starts a workflow by itself, and what came in (`docs/triggers.md`). */

import { queryOptions } from '@tanstack/react-query';
import type * as served from '../../types/schema.gen.ts';
import type { Json } from '../../types/types.ts';
import { api } from '../client.ts';

export type Trigger = Omit<served.TriggerOut, 'config' | 'sample'> & {
  config: Record<string, Json>;
  sample: Sample | null;
};
export type NewTrigger = Trigger & { secret: string | null };
export type Delivery = served.DeliveryOut;
export type TriggerCard = served.TriggerCardOut;
export type TriggerKind = 'webhook' | 'schedule' | 'event';

/** What a call brought, as expressions read it. */
export interface Sample {
  body: Json;
  headers: Record<string, string>;
  query: Record<string, string>;
}

/** What can be set of a trigger; what is left out stays. */
export interface TriggerChange {
  name?: string;
  config?: Record<string, Json>;
  mapping?: Record<string, string>;
  on?: boolean;
}

export const triggersQuery = (graphId: string) =>
  queryOptions({
    queryKey: ['triggers', graphId],
    queryFn: async () =>
      (await api.get<{ results: Trigger[] }>(`graphs/${graphId}/triggers/`, { limit: 200 }))
        .results,
  });

/** One trigger with all that is set of it. */
export const triggerQuery = (graphId: string, id: string) =>
  queryOptions({
    queryKey: ['triggers', graphId, id],
    queryFn: () => api.get<Trigger>(`triggers/${id}/`),
  });

/** The triggers in short, looked at again while they are shown. */
export const triggerCardsQuery = (graphId: string) =>
  queryOptions({
    queryKey: ['triggers', graphId, 'cards'],
    queryFn: async () =>
      (await api.get<{ results: TriggerCard[] }>(`graphs/${graphId}/triggers/cards/`)).results,
    refetchInterval: 15_000,
  });

/** The latest of what came in, looked at again while it is shown. */
export const deliveriesQuery = (triggerId: string) =>
  queryOptions({
    queryKey: ['deliveries', triggerId],
    queryFn: async () =>
      (await api.get<served.DeliveryOutList>(`triggers/${triggerId}/deliveries/`, { limit: 20 }))
        .results,
    refetchInterval: 5_000,
  });

export const dueQuery = (cron: string, zone: string) =>
  queryOptions({
    queryKey: ['due', cron, zone],
    queryFn: async () => (await api.get<served.DueOut>('triggers/due/', { cron, zone })).due,
    retry: false,
    staleTime: 60_000,
  });

export const createTrigger = (
  graphId: string,
  wanted: TriggerChange & { kind: TriggerKind; secret?: string },
) => api.post<NewTrigger>(`graphs/${graphId}/triggers/`, wanted);

export const changeTrigger = (id: string, change: TriggerChange) =>
  api.patch<Trigger>(`triggers/${id}/`, change);

export const deleteTrigger = (id: string) => api.delete(`triggers/${id}/`);

/** Another secret: the one that we make is in this answer only. */
export const newSecret = (id: string, secret?: string) =>
  api.post<served.SecretOut>(`triggers/${id}/secret/`, secret ? { secret } : {});

export const tryTrigger = (id: string, sample: Partial<Sample>) =>
  api.post<Delivery>(`triggers/${id}/test/`, sample);

export const repeatDelivery = (id: string) => api.post<Delivery>(`deliveries/${id}/again/`, {});

import { queryOptions } from '@tanstack/react-query';
import type * as served from '../types/schema.gen.ts';
import { api } from './client.ts';

/** A rule, and what is so while it is met (`docs/api.md`). */
export type AlertRule = served.AlertOut;
export type AlertKind = AlertRule['what'];
export type OpenAlert = served.OpenAlertOut;

/** What a rule is to be; `spend` has `threshold_usd`, all others `threshold`. */
export interface AlertChange {
  what: AlertKind;
  threshold?: number;
  threshold_usd?: string;
  window_minutes: number;
  graph: string | null;
  to: string[];
}

/** The rules of the workspace, looked at again twice a minute; the bell of runs refreshes them too. */
export const alertsQuery = queryOptions({
  queryKey: ['overview', 'alerts'],
  queryFn: () => api.get<served.AlertList>('alerts/', { limit: 200 }),
  refetchInterval: 30_000,
});

export const saveAlert = (id: string | null, change: AlertChange) =>
  id === null
    ? api.post<AlertRule>('alerts/', change)
    : api.patch<AlertRule>(`alerts/${id}/`, change);

export const deleteAlert = (id: string) => api.delete(`alerts/${id}/`);

/** Sends no mail about a rule until then; null sends it again. */
export const muteAlert = (id: string, until: string | null) =>
  api.post<AlertRule>(`alerts/${id}/mute/`, { until });

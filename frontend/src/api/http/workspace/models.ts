/** What stands behind models: what providers cost and who uses them, presets, prices. */

import { queryOptions } from '@tanstack/react-query';
import type * as served from '../../types/schema.gen.ts';
import type { ProviderUser } from '../../types/types.ts';
import { api } from '../client.ts';

export type Preset = served.PresetOut;
export type ModelPrice = served.PriceOut;
export type FoundModels = served.FoundModels;
export type ProviderUse = Omit<served.UseOut, 'used_by'> & { used_by: ProviderUser[] };

const MINUTE = 60_000;

const list = async <T>(path: string) => (await api.get<{ results: T[] }>(path)).results;

/** What each provider cost this month, and what uses its models. */
export const providerUseQuery = queryOptions({
  queryKey: ['models', 'use'],
  queryFn: () => list<ProviderUse>('models/use/'),
});
/** What the form of a new provider may be filled with. */
export const presetsQuery = queryOptions({
  queryKey: ['models', 'presets'],
  queryFn: () => list<Preset>('models/presets/'),
  staleTime: 60 * MINUTE,
});
/** The prices that the workspace set, by provider and model, the latest first. */
export const pricesQuery = queryOptions({
  queryKey: ['models', 'prices'],
  queryFn: () => list<ModelPrice>('models/prices/'),
});

export const findModels = (server: {
  protocol: string;
  base_url: string;
  key?: string;
  headers?: Record<string, string>;
  accept_address: boolean;
}) => api.post<FoundModels>('models/find/', server);

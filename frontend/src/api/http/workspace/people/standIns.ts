import { queryOptions } from '@tanstack/react-query';
import type * as served from '../../../types/schema.gen.ts';
import type { Page } from '../../../types/types.ts';
import { api } from '../../client.ts';

/** Who stands in for whom, on or ahead; days as `2026-11-30`, both included. */
export type StandIn = served.StandInOut;

/** The absences of the workspace, the first one first: everyone sees all. */
export const standInsQuery = queryOptions({
  queryKey: ['stand-ins'],
  queryFn: async ({ signal }) =>
    (await api.get<Page<StandIn>>('stand-ins/', {}, { signal })).results,
});

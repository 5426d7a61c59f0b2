/** Named inputs for test runs, kept beside the draft of a graph. */

import { queryOptions } from '@tanstack/react-query';
import type { Json, Page } from '../types/types.ts';
import { api } from './client.ts';
import { rowsOf } from './queries.ts';

export interface Sample {
  id: string;
  name: string;
  input: Json;
  changed_at: string;
}

const at = (graphId: string) => `graphs/${graphId}/samples/`;

export const samplesQuery = (graphId: string) =>
  queryOptions({
    queryKey: ['samples', graphId],
    queryFn: async () => rowsOf(await api.get<Page<Sample> | Sample[]>(at(graphId))),
  });

export const saveSample = (graphId: string, name: string, input: Json) =>
  api.post<Sample>(at(graphId), { name, input });

export const changeSample = (
  graphId: string,
  id: string,
  change: Partial<Pick<Sample, 'name' | 'input'>>,
) => api.patch<Sample>(`${at(graphId)}${id}/`, change);

export const deleteSample = (graphId: string, id: string) => api.delete(`${at(graphId)}${id}/`);

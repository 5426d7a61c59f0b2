/** Results that stand in for nodes in test runs, kept beside the draft of a graph. */

import type { Json, JsonObject, Page } from '../types/types.ts';
import { api } from './client.ts';
import { rowsOf } from './queries.ts';

export interface Pin {
  node: string;
  value: { output: Json } & JsonObject;
  changed_at: string;
}

const at = (graphId: string) => `graphs/${graphId}/pins/`;

export const readPins = async (graphId: string) =>
  rowsOf(await api.get<Page<Pin> | Pin[]>(at(graphId)));

/** Pin what the node gave in a run. */
export const setPin = (graphId: string, node: string, run: string) =>
  api.post<Pin>(at(graphId), { node, run });

export const clearPin = (graphId: string, node: string) =>
  api.delete(`${at(graphId)}${encodeURIComponent(node)}/`);

/** Drafts from words: asked of a model, judged by their person part by part. */

import type { GraphDoc, Page, Problem } from '../../types/types.ts';
import { api } from '../client.ts';
import { rowsOf } from '../queries.ts';
import type { Budget } from './budgets.ts';

/** A model that can draft; money in USD, null where its price is not known. */
export interface CapableModel {
  id: string;
  label: string;
  provider: string;
  at_most_usd: string | null;
  likely_usd: string | null;
}

export interface CapableModels {
  models: CapableModel[];
  may_connect: boolean;
  budget: Budget | null;
  most_words: number;
}

export type ProposalStatus = 'writing' | 'ready' | 'refused' | 'failed' | 'stopped';

/** A draft from words; `document` is there once it is ready. */
export interface Proposal {
  id: string;
  graph: string | null;
  words: string;
  model: string;
  run: string;
  created_at: string;
  closed: boolean;
  status: ProposalStatus;
  message: string;
  summary: string;
  base: Partial<GraphDoc>;
  document: GraphDoc | null;
  problems: Problem[];
  wrong: string[];
  rounds: number;
  spent_usd: string;
  spent_tokens: number;
}

const of = (graphId: string | null) => (graphId ? `?graph=${graphId}` : '');
const LOOK_AGAIN_MS = 700;

export const capableModelsQuery = (graphId: string | null) => ({
  queryKey: ['describe', 'models', graphId],
  queryFn: () => api.get<CapableModels>(`describe/models/${of(graphId)}`),
  staleTime: 10_000,
});

/** The newest draft of the caller that waits for them; null without one. */
export const openProposalQuery = (graphId: string | null) => ({
  queryKey: ['describe', 'open', graphId],
  queryFn: async () =>
    rowsOf(await api.get<Page<Proposal> | Proposal[]>(`describe/${of(graphId)}`))[0] ?? null,
  gcTime: 0,
});

/** One draft, looked at again while it is written. */
export const proposalQuery = (id: string) => ({
  queryKey: ['describe', 'draft', id],
  queryFn: () => api.get<Proposal>(`describe/${id}/`),
  refetchInterval: ({ state }: { state: { data?: Proposal | undefined } }) =>
    state.data?.status === 'writing' ? LOOK_AGAIN_MS : (false as const),
});

export const askForDraft = (words: string, model: string, graph: string | null) =>
  api.post<Proposal>('describe/', { words, model, ...(graph ? { graph } : {}) });
export const stopDraft = (id: string) => api.post<Proposal>(`describe/${id}/stop/`, {});
export const closeDraft = (id: string, taken: number) =>
  api.post<Proposal>(`describe/${id}/close/`, { taken });

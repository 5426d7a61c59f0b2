import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/http/client.ts';
import { rowsOf } from '../../../api/http/queries.ts';
import type { Page, RunDetail, RunEvents, RunSummary } from '../../../api/types/types.ts';
import type { RunEvent } from '../../../run/fold/events.ts';
import { blobOf, isObject, type Json } from '../../../run/values/json.ts';
import {
  lastRequest,
  type SentRequest,
  sentWords,
  type SentWords,
} from '../../../run/reading/lastSent.ts';

/** What a node last asked a model, and the run that did. */
export interface Sent extends SentWords {
  run: RunDetail;
  at: string;
  key: string;
}

/** So many of the newest runs are looked at, and so much of each log, from its end on. */
const RUNS = 8;
const PAGE = 500;
const PAGES = 20;

async function requestIn(
  run: RunDetail,
  node: string,
  signal: AbortSignal,
): Promise<SentRequest | null> {
  let events: RunEvent[] = [];
  let found: SentRequest | null = null;
  let until = run.as_of_seq;
  for (let page = 0; page < PAGES && until > 0; page += 1) {
    const after = Math.max(0, until - PAGE);
    const answer = await api.get<RunEvents>(
      `runs/${run.id}/events/`,
      { after, limit: until - after },
      { signal },
    );
    events = [...(answer.events as unknown as RunEvent[]), ...events];
    found = lastRequest(events, node);
    if (found?.whole) break;
    until = after;
  }
  return found;
}

/** The value, read where it is kept apart for its size. */
async function whole(
  run: string,
  value: Json | undefined,
  signal: AbortSignal,
): Promise<Json | undefined> {
  const blob = blobOf(value);
  return blob ? api.get<Json>(`runs/${run}/blobs/${blob.$blob}/`, {}, { signal }) : value;
}

async function sentIn(id: string, node: string, signal: AbortSignal): Promise<Sent | null> {
  const run = await api.get<RunDetail>(`runs/${id}/`, {}, { signal });
  if (!run.spend.by_node[node]) return null;
  const sent = await requestIn(run, node, signal);
  const request = await whole(id, sent?.request, signal);
  const words = sentWords(
    await whole(id, isObject(request) ? request.messages : undefined, signal),
  );
  return sent && words ? { ...words, run, at: sent.at, key: sent.key } : null;
}

/** What the newest run of a graph that asked a model at a node has sent there; null when none has. */
export const sentQuery = (graph: string, node: string) =>
  queryOptions({
    queryKey: ['last-sent', graph, node],
    queryFn: async ({ signal }) => {
      const runs = rowsOf(
        await api.get<Page<RunSummary> | RunSummary[]>('runs/', { graph }, { signal }),
      );
      for (const { id } of runs.slice(0, RUNS)) {
        const sent = await sentIn(id, node, signal);
        if (sent) return sent;
      }
      return null;
    },
    staleTime: 10_000,
  });

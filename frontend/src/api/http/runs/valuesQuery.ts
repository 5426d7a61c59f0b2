import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ValuesOut } from '../../types/schema.gen.ts';
import { api } from '../client.ts';

/** Which draft is asked about; without a run its newest one is meant, of drafts first. */
interface Asked {
  graph: string;
  run: string | null;
  /** How that run stands: while it moves it leaves more. */
  stands: string | null;
  /** The save that the answer is of. */
  revision: number;
}

/** What the run that is looked at, else the newest, has left, and what is proven at a node of the draft. */
export const valuesQuery = ({ graph, run, stands, revision }: Asked, at: string) =>
  queryOptions({
    queryKey: ['values', graph, at, run, stands, revision],
    queryFn: ({ signal }) =>
      api.get<ValuesOut>(
        `graphs/${graph}/draft/values/`,
        { ...(at ? { for: at } : {}), ...(run ? { run } : {}) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 2_000,
    gcTime: 60_000,
  });

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/http/client.ts';
import type { ValuesOut } from '../../../api/types/schema.gen.ts';
import type { Evaluating } from '../../form/context.ts';

/** What the run that is looked at, else the newest, has left, and what is proven at a node of the draft. */
export const valuesQuery = ({ graph, run, revision }: Evaluating, at: string) =>
  queryOptions({
    queryKey: ['values', graph, at, run, revision],
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

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/http/client.ts';
import type { EvaluatedOut } from '../../../api/types/schema.gen.ts';
import type { Evaluating } from '../../form/context.ts';

export type TextLanguage = 'template' | 'expression';

/** Longer texts are not evaluated while they are typed. */
export const LONGEST = 20_000;

/** What a text gives for the input of the next test run. Asked once for each text. */
export const evaluateQuery = (
  language: TextLanguage,
  text: string,
  { graph, input, run, stands }: Evaluating,
) =>
  queryOptions({
    queryKey: ['evaluate', graph, language, text, input, run, stands],
    queryFn: ({ signal }) =>
      api.post<EvaluatedOut>(
        `graphs/${graph}/draft/evaluate/`,
        { language, text, ...(input === undefined ? {} : { input }), ...(run ? { run } : {}) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 5_000,
    gcTime: 60_000,
  });

/** What of the test run that is looked at does not hold any more: asked of the server after each save. */

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api, ApiError } from '../../../../api/http/client.ts';
import type { ForkPlan, RunStatus } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { useTrials } from '../trials/trials.ts';

/**
 * The plan for the run that is looked at; null while there is none, or it cannot be compared. `refusal`: why
 * the draft cannot go on from that run, where it cannot; empty otherwise.
 */
export const useStale = create<{ plan: ForkPlan | null; refusal: string }>(() => ({
  plan: null,
  refusal: '',
}));

const REFUSALS: Record<string, string> = {
  InputInvalid: 'The start fields changed since this run',
  ForkNotPossible: 'Too much changed since this run',
  RunTooLong: 'This run has too many steps to compare it with the draft',
  VersionGone: 'What this run ran is gone',
};

/** Why nothing of the run can be taken over, and what to do instead; empty where that says itself. */
export function refusalOf(error: unknown): string {
  const why = error instanceof ApiError ? REFUSALS[error.code] : undefined;
  return why
    ? `${why}, so nothing of it can be taken over. “Run again” starts from the start.`
    : '';
}

/** A run that moves is not compared: its cards say what happens. */
const rests = (status: RunStatus) => !['queued', 'running', 'ending'].includes(status);

/** Keep the plan of a run up to date with the draft. */
export function useStalePlan(runId: string | null, status: RunStatus): void {
  const revision = useEditor((state) => state.revision);
  const pins = useTrials((state) => state.pins);
  const asked = runId !== null && rests(status);
  const { data, error } = useQuery({
    queryKey: [
      'stale',
      runId,
      status,
      revision,
      [...pins].map(([node, pin]) => [node, pin.changed_at]),
    ],
    queryFn: () => api.get<ForkPlan>(`runs/${runId}/fork-plan/`, { stale: 'true' }),
    enabled: asked,
    retry: false,
    gcTime: 0,
    placeholderData: (before, query) => (query?.queryKey[1] === runId ? before : undefined),
  });
  const plan = asked && !error ? (data ?? null) : null;
  const refusal = asked && error ? refusalOf(error) : '';
  useEffect(() => useStale.setState({ plan, refusal }), [plan, refusal]);
  useEffect(() => () => useStale.setState({ plan: null, refusal: '' }), []);
}

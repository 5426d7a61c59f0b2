/** What of the test run that is looked at does not hold any more: asked of the server after each save. */

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../../../../api/http/client.ts';
import type { ForkPlan, RunStatus } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { useTrials } from '../trials/trials.ts';

/** The plan for the run that is looked at; null while there is none, or it cannot be compared. */
export const useStale = create<{ plan: ForkPlan | null }>(() => ({ plan: null }));

/** A run that moves is not compared: its cards say what happens. */
const rests = (status: RunStatus) => !['queued', 'running', 'ending'].includes(status);

/** Keep the plan of a run up to date with the draft. */
export function useStalePlan(runId: string | null, status: RunStatus): void {
  const revision = useEditor((state) => state.revision);
  const pins = useTrials((state) => state.pins);
  const asked = runId !== null && rests(status);
  const { data, isError } = useQuery({
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
  const plan = asked && !isError ? (data ?? null) : null;
  useEffect(() => useStale.setState({ plan }), [plan]);
  useEffect(() => () => useStale.setState({ plan: null }), []);
}

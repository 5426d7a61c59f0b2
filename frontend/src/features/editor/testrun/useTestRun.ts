import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api } from '../../../api/http/client.ts';
import { runQuery } from '../../../api/http/lists.ts';
import { rowsOf } from '../../../api/http/queries.ts';
import type { Page, RunDetail, RunSummary } from '../../../api/types/types.ts';
import { type LiveRun, useLiveRun } from '../../../liverun/useLiveRun.ts';
import { memoryRules } from '../../../run/fold/memory.ts';
import { useEditor } from '../../../store/editor.ts';
import { testRunOf } from '../../runs/control/stopRun.ts';
import { attach, beginTesting, useTesting } from './testing.ts';
import { beginTrials } from './trials/trials.ts';

/** The test run that is looked at: its log as it comes, and what the server says about it once it is there. */
export interface TestRun {
  live: LiveRun;
  run: RunDetail | null;
}

/** Look at one's own last test run of a graph, and at each that is started here. */
export function useTestRun(graphId: string, userId: string): TestRun {
  const runId = useTesting((state) => (state.graphId === graphId ? state.runId : null));
  useEffect(() => {
    beginTesting(graphId);
    void beginTrials(graphId);
    if (!userId) return;
    let left = false;
    api
      .get<Page<RunSummary> | RunSummary[]>('runs/', { graph: graphId })
      .then((answer) => {
        const last = testRunOf(rowsOf(answer), userId);
        const { runId: now, starting } = useTesting.getState();
        if (last && !left && now === null && !starting) attach(last.id);
      })
      .catch(() => undefined); // without it one begins with an empty panel
    return () => {
      left = true;
    };
  }, [graphId, userId]);
  const live = useLiveRun(runId);
  const { data } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== null });
  const client = useQueryClient();
  const revision = useEditor((state) => state.revision);
  const mayRetry = data?.can.retry ?? false;
  useEffect(() => {
    // Whether the draft differs from what ran is the server's to say, after each save.
    if (mayRetry) void client.invalidateQueries({ queryKey: ['run', runId] });
  }, [client, runId, revision, mayRetry]);
  const { store } = live;
  const document = data?.document;
  useEffect(() => {
    if (document) store.getState().setRules(memoryRules(document));
  }, [store, document]);
  return useMemo(() => ({ live, run: data ?? null }), [live, data]);
}

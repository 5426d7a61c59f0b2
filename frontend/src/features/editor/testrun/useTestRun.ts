import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { api } from '../../../api/http/client.ts';
import { runQuery } from '../../../api/http/lists.ts';
import { rowsOf } from '../../../api/http/queries.ts';
import type { Page, RunDetail, RunSummary } from '../../../api/types/types.ts';
import { type LiveRun, useLiveRun } from '../../../liverun/useLiveRun.ts';
import { memoryRules } from '../../../run/fold/memory.ts';
import { useEditor } from '../../../store/editor.ts';
import { testRunsOf } from '../../runs/control/stopRun.ts';
import { attach, beginTesting, useTesting } from './testing.ts';
import { beginTrials } from './trials/trials.ts';

/** How many test runs before the last are looked through for one that went through the workflow. */
const MOST_EARLIER = 5;

/** A run: its log as it comes, and what the server says about it once it is there. */
export interface SeenRun {
  live: LiveRun;
  run: RunDetail | null;
}

/** The test run that is looked at. */
export interface TestRun extends SeenRun {
  /** The last whole run, where the one that is looked at is of a single node: the other cards show it. Else without a run. */
  behind: SeenRun;
}

/** Look at one's own last test run of a graph, and at each that is started here. */
export function useTestRun(graphId: string, userId: string): TestRun {
  const runId = useTesting((state) => (state.graphId === graphId ? state.runId : null));
  const earlier = useRef<string[]>([]);
  const whole = useTesting((state) => (state.graphId === graphId ? state.whole : null));
  useEffect(() => {
    beginTesting(graphId);
    void beginTrials(graphId);
    if (!userId) return;
    let left = false;
    api
      .get<Page<RunSummary> | RunSummary[]>('runs/', { graph: graphId })
      .then((answer) => {
        const mine = testRunsOf(rowsOf(answer), userId);
        const { runId: now, starting } = useTesting.getState();
        if (left || now !== null || starting || !mine[0]) return;
        attach(mine[0].id);
        earlier.current = mine.slice(1, 1 + MOST_EARLIER).map(({ id }) => id);
      })
      .catch(() => undefined); // without it one begins with an empty panel
    return () => {
      left = true;
    };
  }, [graphId, userId]);
  const seen = useSeenRun(runId);
  const before = useSeenRun(whole === runId ? null : whole);
  const data = seen.run;
  const notWhole = [seen.run, before.run].find((run) => run?.id === whole && run?.only);
  useEffect(() => {
    // what was there before the page was opened does not say from afar that it was of one node
    if (!notWhole) return;
    const { id, only } = notWhole;
    const whole = earlier.current.shift() ?? null;
    useTesting.setState((state) => ({ whole, only: state.runId === id ? only : state.only }));
  }, [notWhole]);
  const client = useQueryClient();
  const revision = useEditor((state) => state.revision);
  const mayRetry = data?.can.retry ?? false;
  useEffect(() => {
    // Whether the draft differs from what ran is the server's to say, after each save.
    if (mayRetry) void client.invalidateQueries({ queryKey: ['run', runId] });
  }, [client, runId, revision, mayRetry]);
  const isAlone = Boolean(data?.only);
  return useMemo(
    () => ({ ...seen, behind: isAlone ? before : { ...before, run: null } }),
    [seen, before, isAlone],
  );
}

function useSeenRun(runId: string | null): SeenRun {
  const live = useLiveRun(runId);
  const { data } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== null });
  const { store } = live;
  const document = data?.document;
  useEffect(() => {
    if (document) store.getState().setRules(memoryRules(document));
  }, [store, document]);
  return useMemo(() => ({ live, run: data ?? null }), [live, data]);
}

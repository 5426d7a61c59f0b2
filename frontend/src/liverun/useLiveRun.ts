import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { api } from '../api/http/client.ts';
import { loadRealtime } from '../api/live/realtime.ts';
import type { RunEvents } from '../api/types/types.ts';
import type { RunEvent } from '../run/fold/events.ts';
import { isTerminal } from '../run/fold/model.ts';
import { loadFolding } from '../run/replay/replay.ts';
import { type RunStore, createRunStore } from '../run/replay/store.ts';

const PAGE = 500;
const POLL_MS = 3_000;

/** Events whose consequences the run's summary (rights, interrupts with their tokens) also shows. */
const TELLING =
  /^(Interrupt|Decision|Run(Completed|Failed|Cancelled|TimedOut|Ending)|BudgetRaised)/;

/** How the page hears of events: by the socket, by asking over HTTP while that brings none, or not at all. */
export type Hearing = 'connecting' | 'live' | 'polling' | 'away';

export interface LiveRun {
  store: RunStore;
  hearing: Hearing;
  error: unknown;
  retry: () => void;
}

/** Read what is missing over HTTP. Gives whether there was anything. */
async function catchUp(runId: string, store: RunStore, signal: AbortSignal): Promise<boolean> {
  const before = store.getState().cursor();
  const folding = loadFolding();
  for (;;) {
    const after = store.getState().cursor();
    const page = await api.get<RunEvents>(
      `runs/${runId}/events/`,
      { after, limit: PAGE },
      { signal },
    );
    await folding;
    store.getState().receive(page.events as unknown as RunEvent[]);
    const now = store.getState().cursor();
    if (now === after || now >= page.head) return now > before;
  }
}

/**
 * Follow the socket from the store's cursor on; frames of other kinds but deltas are not for the store.
 *
 * A connection that is open delivers only once a frame about the run came: one that is closed again and again
 * before that, however often it opens, does not.
 */
async function follow(
  runId: string,
  store: RunStore,
  onDelivers: (delivers: boolean) => void,
  signal: AbortSignal,
  onTell: () => void,
): Promise<void> {
  const realtime = await loadRealtime();
  if (realtime === null || signal.aborted) return;
  const cursor = () => store.getState().cursor();
  const ends = [
    realtime.onState((state) => {
      if (state !== 'open') onDelivers(false);
    }),
    realtime.sub(
      { run: runId, after: cursor() },
      (frame) => {
        if (frame.op === 'eph' && frame.kind === 'delta') store.getState().receiveDelta(frame);
        if (frame.op === 'ev' || frame.op === 'head') onDelivers(true);
        if (frame.op !== 'ev') return;
        store.getState().receive(frame.events as unknown as RunEvent[]);
        if (frame.events.some((event) => TELLING.test(event.type))) onTell();
      },
      cursor,
    ),
  ];
  signal.addEventListener('abort', () => ends.forEach((end) => end()));
}

/** The log of a run: read once over HTTP, then live; while the socket brings nothing it is asked for every few seconds. Without a run nothing is asked. */
export function useLiveRun(
  runId: string | null,
  { live = true }: { live?: boolean } = {},
): LiveRun {
  const store = useMemo(() => createRunStore(), [runId]); // eslint-disable-line react-hooks/exhaustive-deps -- one store a run
  const client = useQueryClient();
  const [hearing, setHearing] = useState<Hearing>('connecting');
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ attempt: number; reason: unknown } | null>(null);
  const ended = useStore(store, (state) => isTerminal(state.head.status));

  useEffect(() => {
    if (runId === null) return;
    const abort = new AbortController();
    const delivers = (now: boolean) =>
      setHearing((before) => (now ? 'live' : before === 'live' ? 'connecting' : before));
    const tell = () => void client.invalidateQueries({ queryKey: ['run', runId] });
    catchUp(runId, store, abort.signal)
      .then(() => (live ? follow(runId, store, delivers, abort.signal, tell) : undefined))
      .catch((reason: unknown) => {
        if (!abort.signal.aborted) setFailure({ attempt, reason });
      });
    return () => {
      abort.abort();
      setHearing('connecting');
    };
  }, [runId, store, client, live, attempt]);

  const deaf = hearing !== 'live';
  useEffect(() => {
    if (runId === null || !live || ended || !deaf) return;
    const abort = new AbortController();
    const unlessLive = (now: Hearing) => setHearing((before) => (before === 'live' ? before : now));
    const timer = setInterval(() => {
      catchUp(runId, store, abort.signal).then(
        (isNew) => {
          unlessLive('polling');
          return isNew ? client.invalidateQueries({ queryKey: ['run', runId] }) : undefined;
        },
        () => unlessLive('away'),
      );
    }, POLL_MS);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [runId, store, client, live, ended, deaf]);

  const error = failure?.attempt === attempt ? failure.reason : null;
  return useMemo(
    () => ({ store, hearing, error, retry: () => setAttempt((before) => before + 1) }),
    [store, hearing, error],
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { api } from '../api/client.ts';
import { type ConnectionState, loadRealtime } from '../api/realtime.ts';
import type { RunEvents } from '../api/types.ts';
import type { RunEvent } from '../run/events.ts';
import { isTerminal } from '../run/model.ts';
import { type RunStore, createRunStore } from '../run/store.ts';

const PAGE = 500;
const POLL_MS = 3_000;

/** Events whose consequences the run's summary (rights, interrupts with their tokens) also shows. */
const TELLING = /^(Interrupt|Decision|Run(Completed|Failed|Cancelled|TimedOut|Ending)|BudgetRaised)/;

export interface LiveRun { store: RunStore; connection: ConnectionState; error: unknown; retry: () => void }

/** Read what is missing over HTTP. Gives whether there was anything. */
async function catchUp(runId: string, store: RunStore, signal: AbortSignal): Promise<boolean> {
  const before = store.getState().cursor();
  for (;;) {
    const after = store.getState().cursor();
    const page = await api.get<RunEvents>(`runs/${runId}/events/`, { after, limit: PAGE }, { signal });
    store.getState().receive(page.events as unknown as RunEvent[]);
    const now = store.getState().cursor();
    if (now === after || now >= page.head) return now > before;
  }
}

/** Follow the socket from the store's cursor on; frames of other kinds but deltas are not for the store. */
async function follow(runId: string, store: RunStore, onState: (state: ConnectionState) => void, signal: AbortSignal, onTell: () => void): Promise<void> {
  const realtime = await loadRealtime();
  if (realtime === null || signal.aborted) return;
  const ends = [
    realtime.onState(onState),
    realtime.sub({ run: runId, after: store.getState().cursor() }, (frame) => {
      if (frame.op === 'eph' && frame.kind === 'delta') store.getState().receiveDelta(frame);
      if (frame.op !== 'ev') return;
      store.getState().receive(frame.events as unknown as RunEvent[]);
      if (frame.events.some((event) => TELLING.test(event.type))) onTell();
    }),
  ];
  signal.addEventListener('abort', () => ends.forEach((end) => end()));
}

/** The log of a run: read once over HTTP, then live; while the socket is away it is asked for every few seconds. */
export function useLiveRun(runId: string, { live = true }: { live?: boolean } = {}): LiveRun {
  const store = useMemo(() => createRunStore(), [runId]); // eslint-disable-line react-hooks/exhaustive-deps -- one store a run
  const client = useQueryClient();
  const [connection, setConnection] = useState<ConnectionState>('connecting');
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ attempt: number; reason: unknown } | null>(null);
  const ended = useStore(store, (state) => isTerminal(state.head.status));

  useEffect(() => {
    const abort = new AbortController();
    const tell = () => void client.invalidateQueries({ queryKey: ['run', runId] });
    catchUp(runId, store, abort.signal)
      .then(() => (live ? follow(runId, store, setConnection, abort.signal, tell) : undefined))
      .catch((reason: unknown) => {
        if (!abort.signal.aborted) setFailure({ attempt, reason });
      });
    return () => abort.abort();
  }, [runId, store, client, live, attempt]);

  useEffect(() => {
    if (!live || ended || connection === 'open') return;
    const abort = new AbortController();
    const timer = setInterval(() => {
      catchUp(runId, store, abort.signal).then(
        (isNew) => (isNew ? client.invalidateQueries({ queryKey: ['run', runId] }) : undefined),
        () => setConnection('closed'),
      );
    }, POLL_MS);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [runId, store, client, live, ended, connection]);

  const error = failure?.attempt === attempt ? failure.reason : null;
  return { store, connection, error, retry: () => setAttempt((before) => before + 1) };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { api, messageOf } from '../../api/http/client.ts';
import { follow } from './follow.ts';
import { isOver, newTurn, saidIn, type Turn } from './turn.ts';

/** One thing that was said. `runId` is known once the server answered. */
export interface Said {
  key: string;
  text: string;
  runId: string | null;
}

interface Stored {
  session: string;
  said: Said[];
}

export interface Conversation {
  said: readonly Said[];
  /** What became of each, by key. */
  turns: Readonly<Record<string, Turn>>;
  busy: boolean;
  say: (text: string) => void;
  /** End the run that answers now. Gives why it could not be ended, or null. */
  stop: () => Promise<string | null>;
  /** Forget everything here and begin again; runs stay where they are. */
  restart: () => void;
  /** A question was answered here: the run goes on. */
  answered: (key: string) => void;
}

const MAX_KEPT = 40;
const storageKey = (graphId: string) => `graphwright.chat.${graphId}`;
const fresh = (): Stored => ({ session: crypto.randomUUID(), said: [] });

function kept(graphId: string): Stored {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(graphId)) ?? 'null') as Stored | null;
    return stored && Array.isArray(stored.said) ? stored : fresh();
  } catch {
    return fresh();
  }
}

function keep(graphId: string, stored: Stored): void {
  try {
    localStorage.setItem(
      storageKey(graphId),
      JSON.stringify({ ...stored, said: stored.said.slice(-MAX_KEPT) }),
    );
  } catch {
    // Storage is full or forbidden: the conversation lasts as long as the page.
  }
}

/** Everything before a turn, as the model of a later run may read it. */
function messagesOf(
  said: readonly Said[],
  turns: Readonly<Record<string, Turn>>,
  last: string,
): { role: string; content: string }[] {
  const earlier = said.flatMap(({ key, text }) => {
    const turn = turns[key];
    return [
      { role: 'user', content: text },
      ...(turn ? saidIn(turn) : []).map((content) => ({ role: 'assistant', content })),
    ];
  });
  return [...earlier, { role: 'user', content: last }];
}

/**
 * A conversation with a graph. Only what was said is kept in this browser; the answers are read from the
 * logs of the runs, so a refresh shows the same and goes on where the stream was.
 */
export function useConversation(graphId: string): Conversation {
  const [stored, setStored] = useState(() => kept(graphId));
  const [turns, setTurns] = useState<Record<string, Turn>>({});
  const latest = useRef(turns);
  const leave = useRef(new AbortController());

  const put = useCallback((key: string, turn: Turn) => {
    latest.current = { ...latest.current, [key]: turn };
    setTurns(latest.current);
  }, []);

  const change = useCallback(
    (next: (before: Stored) => Stored) =>
      setStored((before) => {
        const after = next(before);
        keep(graphId, after);
        return after;
      }),
    [graphId],
  );

  const run = useCallback(
    async (entry: Said, earlier: readonly Said[], session: string, signal: AbortSignal) => {
      put(entry.key, newTurn(entry.runId));
      const body = {
        graphId,
        sessionId: session,
        messages: messagesOf(earlier, latest.current, entry.text),
      };
      let known = entry.runId;
      await follow(
        newTurn(entry.runId),
        { body, key: entry.key },
        (turn) => {
          put(entry.key, turn);
          if (known !== null || turn.runId === null) return;
          known = turn.runId;
          change((before) => ({
            ...before,
            said: before.said.map((each) =>
              each.key === entry.key ? { ...each, runId: known } : each,
            ),
          }));
        },
        signal,
      );
    },
    [graphId, put, change],
  );

  // What was said before this page was opened: the runs that are known at once, the last one perhaps sent again.
  useEffect(() => {
    const abort = new AbortController();
    leave.current = abort;
    const { session, said } = kept(graphId);
    const known = said.filter((entry) => entry.runId !== null);
    const lost = said.filter((entry) => entry.runId === null);
    const reading = known.map((entry) => run(entry, [], session, abort.signal));
    const last = lost.at(-1);
    if (last)
      void Promise.all(reading).then(() =>
        abort.signal.aborted
          ? undefined
          : run(last, said.slice(0, said.indexOf(last)), session, abort.signal),
      );
    return () => abort.abort();
  }, [graphId, run]);

  const current = stored.said.at(-1);
  const turn = current ? turns[current.key] : undefined;
  const busy = current !== undefined && (turn === undefined || !isOver(turn));

  const say = (text: string) => {
    const entry: Said = { key: crypto.randomUUID(), text, runId: null };
    change((before) => ({ ...before, said: [...before.said, entry] }));
    void run(entry, stored.said, stored.session, leave.current.signal);
  };
  const stop = async () => {
    const runId = turn?.runId;
    if (!runId) return 'The run has not begun yet.';
    try {
      await api.post(`runs/${runId}/cancel/`, { reason: 'stopped in the chat' });
      return null;
    } catch (error) {
      return messageOf(error);
    }
  };
  const restart = () => {
    leave.current.abort();
    leave.current = new AbortController();
    latest.current = {};
    setTurns({});
    change(fresh);
  };
  const answered = (key: string) => {
    const known = latest.current[key];
    if (known?.status === 'waiting') put(key, { ...known, status: 'running' });
  };
  return { said: stored.said, turns, busy, say, stop, restart, answered };
}

/** Reads the frames that answer a turn, over as many connections and runs as it takes. */

import { backoffMs } from '../../api/live/backoff.ts';
import { ApiError, request } from '../../api/http/client.ts';
import { eventsOf } from '../../api/http/eventStream.ts';
import { type ChatFrame, isOver, type Turn, withFrame } from './turn.ts';

/** What is said, and the key that makes a repetition of it the same run. */
export interface Opening {
  body: object;
  key: string;
}

const STREAM = { Accept: 'text/event-stream' };

/** A refusal that stays one however often it is asked; anything else is a matter of time. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 408 &&
  error.status !== 429;

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const unread = (response: Response) => response;

async function connect(
  turn: Turn,
  opening: Opening | null,
  signal: AbortSignal,
): Promise<Response> {
  if (turn.runId !== null) {
    const headers = turn.seen > 0 ? { ...STREAM, 'Last-Event-ID': String(turn.seen) } : STREAM;
    return request('GET', `runs/${turn.runId}/chat/`, { headers, signal }, unread);
  }
  if (opening === null) throw new Error('There is nothing to follow.');
  const headers = { ...STREAM, 'Idempotency-Key': opening.key };
  return request('POST', 'chat/', { body: opening.body, headers, signal }, unread);
}

/** The run that an earlier request with the same key started, if the refusal names it. */
function startedBefore(error: unknown): string | null {
  const run =
    error instanceof ApiError && error.code === 'IdempotencyConflict' ? error.extra.run : null;
  return typeof run === 'string' ? run : null;
}

/**
 * Bring a turn to its end, telling `onTurn` about every change. A connection that breaks is made again
 * after the last frame seen. Ends early when `signal` says so; gives the turn as it then is.
 */
export async function follow(
  start: Turn,
  opening: Opening | null,
  onTurn: (turn: Turn) => void,
  signal: AbortSignal,
): Promise<Turn> {
  let turn = start;
  const tell = (next: Turn) => {
    if (next !== turn && !signal.aborted) onTurn(next);
    turn = next;
  };
  for (let attempt = 0; !isOver(turn) && !signal.aborted; attempt += 1) {
    try {
      const response = await connect(turn, opening, signal);
      if (turn.runId === null)
        tell({ ...turn, runId: response.headers.get('X-Run-Id'), status: 'running', away: false });
      const { runId } = turn;
      for await (const event of eventsOf(response)) {
        attempt = 0;
        tell(
          withFrame(turn, {
            ...(JSON.parse(event.data) as object),
            type: event.type,
            id: event.id === null ? null : Number(event.id),
          } as ChatFrame),
        );
      }
      if (response.status === 204) tell({ ...turn, status: 'completed' });
      if (turn.runId !== runId) continue;
    } catch (error) {
      if (signal.aborted) break;
      const known = startedBefore(error);
      if (known !== null) {
        tell({ ...turn, runId: known, status: 'running' });
        continue;
      }
      if (isFinal(error)) {
        const { code, message } = error as ApiError;
        tell({ ...turn, status: 'refused', live: null, error: { code, message, node: null } });
        break;
      }
    }
    if (isOver(turn)) break;
    tell({ ...turn, away: true });
    await wait(backoffMs(attempt, Math.random()), signal);
  }
  return turn;
}

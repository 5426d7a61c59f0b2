/** Waiting where the server is busy: who was told to come back does so, a few times, and says that it waits. */

const TRIES = 4;
const FIRST_MS = 1_000;
/** Whoever is to wait longer than this is told so in place of waiting. */
const LONGEST_MS = 15_000;
const JITTER = 0.25;
/** A wait that people need not hear of. */
const QUIET_MS = 2_000;

const listeners = new Set<() => void>();
let waiting = 0;
let since = 0;

/** Hear of requests that begin or cease to wait. Gives what ends it. */
export function onWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Milliseconds until a wait that still lasts is long enough to be told; null where nobody waits. */
export function untilWaitIsTold(): number | null {
  return waiting === 0 ? null : Math.max(0, since + QUIET_MS - Date.now());
}

function count(change: 1 | -1): void {
  if (waiting === 0) since = Date.now();
  waiting += change;
  for (const listener of listeners) listener();
}

/** Milliseconds that the answer asks to wait for before try `tries` (from 0); null where that is too long. */
function asked(response: Response, tries: number): number | null {
  const told = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
  const ms = Number.isFinite(told) && told >= 0 ? told : FIRST_MS * 2 ** tries;
  return ms > LONGEST_MS ? null : ms * (1 + Math.random() * JITTER);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException('The request was given up.', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * The answer to `ask`, which is asked again while the server `isBusy`: at most four times, after the time
 * that it names, and not once `signal` aborts. The last answer of a server that stays busy is given as it is.
 */
export async function patiently(
  ask: () => Promise<Response>,
  isBusy: (response: Response) => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let isWaiting = false;
  try {
    for (let tries = 0; ; tries += 1) {
      const response = await ask();
      const ms = tries < TRIES && (await isBusy(response)) ? asked(response, tries) : null;
      if (ms === null) return response;
      if (!isWaiting) count(1);
      isWaiting = true;
      await pause(ms, signal);
    }
  } finally {
    if (isWaiting) count(-1);
  }
}

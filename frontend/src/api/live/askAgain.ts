import type { QueryClient } from '@tanstack/react-query';

/** How long an answer is given to arrive before the next change asks anew, in milliseconds. */
const PAUSE_MS = 1_000;

const pausing = new WeakMap<QueryClient, Map<string, { again: boolean }>>();

/**
 * Ask again for every query under `key`: at once, and where it is wanted meanwhile once more after a pause.
 *
 * Asking breaks off what is under way. Where word of changes comes faster than answers do, no answer
 * would ever arrive.
 */
export function askAgain(client: QueryClient, key: string): void {
  const keys = pausing.get(client) ?? new Map<string, { again: boolean }>();
  pausing.set(client, keys);
  const before = keys.get(key);
  if (before) {
    before.again = true;
    return;
  }
  const now = { again: false };
  keys.set(key, now);
  void client.invalidateQueries({ queryKey: [key] });
  setTimeout(() => {
    keys.delete(key);
    if (now.again) askAgain(client, key);
  }, PAUSE_MS);
}

import type { QueryClient } from '@tanstack/react-query';

/** How long an answer is given to arrive before the next change asks anew, in milliseconds. */
const PAUSE_MS = 1_000;

interface Asked {
  /** Whether nothing else has happened yet: several listeners hear the same word, one after the other. */
  justNow: boolean;
  /** Whether there was another word since. */
  again: boolean;
}

const pausing = new WeakMap<QueryClient, Map<string, Asked>>();

/**
 * Ask again for every query under `key`: at once, and where it is wanted meanwhile once more after a pause.
 *
 * Asking breaks off what is under way. Where word of changes comes faster than answers do, no answer
 * would ever arrive. What several listeners make of one word is asked for once.
 */
export function askAgain(client: QueryClient, key: string): void {
  const keys = pausing.get(client) ?? new Map<string, Asked>();
  pausing.set(client, keys);
  const before = keys.get(key);
  if (before) {
    before.again ||= !before.justNow;
    return;
  }
  const now = { justNow: true, again: false };
  keys.set(key, now);
  queueMicrotask(() => (now.justNow = false));
  void client.invalidateQueries({ queryKey: [key] });
  setTimeout(() => {
    keys.delete(key);
    if (now.again) askAgain(client, key);
  }, PAUSE_MS);
}

import type { QueryClient } from '@tanstack/react-query';

interface Asking {
  again: boolean;
}

const asking = new WeakMap<QueryClient, Map<string, Asking>>();

/**
 * Ask again for every query under `key`, and once more where it is wanted meanwhile.
 *
 * What is under way is not broken off for that: where word of changes comes faster than answers do,
 * no answer would ever arrive.
 */
export async function askAgain(client: QueryClient, key: string): Promise<void> {
  const keys = asking.get(client) ?? new Map<string, Asking>();
  asking.set(client, keys);
  const under = keys.get(key);
  if (under) {
    under.again = true;
    return;
  }
  const now: Asking = { again: client.isFetching({ queryKey: [key] }) > 0 };
  keys.set(key, now);
  try {
    await client.invalidateQueries({ queryKey: [key] }, { cancelRefetch: false });
  } finally {
    keys.delete(key);
  }
  if (now.again) await askAgain(client, key);
}

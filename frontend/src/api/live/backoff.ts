/** Waits between attempts to reconnect: doubling, bounded, half of each wait is chance. */

export interface BackoffPolicy {
  firstMs: number;
  maxMs: number;
}

export const SOCKET_BACKOFF: BackoffPolicy = { firstMs: 500, maxMs: 15_000 };

/** Return the wait before attempt `attempt` (0 is the first); `random` lies in [0, 1). */
export function backoffMs(
  attempt: number,
  random: number,
  policy: BackoffPolicy = SOCKET_BACKOFF,
): number {
  const ceiling = Math.min(policy.maxMs, policy.firstMs * 2 ** Math.min(attempt, 20));
  return Math.round(ceiling / 2 + (random * ceiling) / 2);
}

/** Whether a run, or a step of it, waits for nothing but a moment. Times are in milliseconds. */

import type { ActivationView, RunView } from '../fold/model.ts';

/** Until when a step sleeps; null where it does not. */
export const sleepsUntil = (activation: ActivationView | undefined): number | null =>
  activation?.status === 'running' && activation.waitingOn === 'timer'
    ? activation.waitingUntil
    : null;

/** The first moment at which a run goes on while all of it sleeps; null where anything else is alive. */
export function runSleepsUntil(
  view: Pick<RunView, 'status' | 'live' | 'activations'>,
): number | null {
  if (view.status !== 'running' || view.live.length === 0) return null;
  const parents = new Set(view.live.flatMap(above));
  const ends = view.live
    .filter((key) => !parents.has(key))
    .map((key) => sleepsUntil(view.activations[key]));
  const known = ends.filter((end) => end !== null);
  return known.length === ends.length && known.length > 0 ? Math.min(...known) : null;
}

/** The keys that a key stands below. */
function above(key: string): string[] {
  const place = key.lastIndexOf('/');
  return place === -1 ? [] : [key.slice(0, place), ...above(key.slice(0, place))];
}

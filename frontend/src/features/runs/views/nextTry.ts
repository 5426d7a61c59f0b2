/** When a step that failed is tried again, in words. Times are in milliseconds. */

import { formatDuration } from '../../../ui/format/format.ts';
import type { ActivationView, RunView } from '../../../run/fold/model.ts';

type Trying = Pick<ActivationView, 'status' | 'retryAt' | 'attempt' | 'maxAttempts'>;

/** “Next try in 40 s (3 of 5)”; null where it waits for none. `of` names the step behind “Next try”. */
export function nextTry(activation: Trying | undefined, now: number, of = ''): string | null {
  if (activation?.status !== 'retrying' || activation.retryAt === null) return null;
  const { retryAt, attempt, maxAttempts } = activation;
  const seconds = Math.ceil((retryAt - now) / 1000);
  const when = seconds > 0 ? `in ${formatDuration(seconds * 1000)}` : 'now';
  return `Next try${of ? ` of ${of}` : ''} ${when} (${attempt + 1} of ${maxAttempts})`;
}

/** The step of a run that is tried again first; undefined where none waits for another try. */
export function firstTry({
  live,
  activations,
}: Pick<RunView, 'live' | 'activations'>): ActivationView | undefined {
  return live
    .map((key) => activations[key])
    .filter((each) => each?.status === 'retrying')
    .reduce((first, each) => (due(each) < due(first) ? each : first), undefined);
}

const due = (activation: ActivationView | undefined): number => activation?.retryAt ?? Infinity;

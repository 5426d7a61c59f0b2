/** The moments of a run that a person looks for when scrubbing. */

import { keyOf, type RunEvent } from '../fold/events.ts';
import { isRejection } from '../ended/rejected.ts';
import { brief } from '../values/json.ts';
import { labelOf } from './timeline.ts';

export interface KeyMoment {
  seq: number;
  tone: 'danger' | 'waiting' | 'answered' | 'changed';
  text: string;
}

const TONES: Partial<Record<RunEvent['type'], { tone: KeyMoment['tone']; text: string }>> = {
  NodeFailed: { tone: 'danger', text: 'failed' },
  AttemptFailed: { tone: 'danger', text: 'an attempt failed' },
  NodeInDoubt: { tone: 'danger', text: 'in doubt' },
  RunEnding: { tone: 'danger', text: 'the run began to end' },
  CircuitOpened: { tone: 'danger', text: 'a circuit opened' },
  InterruptOpened: { tone: 'waiting', text: 'asked a person' },
  InterruptResolved: { tone: 'answered', text: 'was answered' },
  MemoryEdited: { tone: 'changed', text: 'memory was changed' },
  BudgetRaised: { tone: 'changed', text: 'the budget was raised' },
};

/** Failures, questions, answers and changes by hand, in the order of the log. */
export function keyMomentsOf(events: readonly RunEvent[]): KeyMoment[] {
  return events.flatMap((event): KeyMoment[] => {
    const found = momentOf(event);
    if (found === undefined) return [];
    const key = keyOf(event);
    return [
      {
        seq: event.seq,
        tone: found.tone,
        text:
          key === undefined ? found.text : `${labelOf(key)}: ${momentWords(event) ?? found.text}`,
      },
    ];
  });
}

/** A no is a decision: neither the step nor the run that ends by it is marked as a failure. */
function momentOf(event: RunEvent): (typeof TONES)[RunEvent['type']] {
  if (event.type === 'RunEnding' && (event.status === 'completed' || isRejection(event.error)))
    return undefined;
  if (event.type === 'NodeFailed' && isRejection(event.error))
    return { tone: 'answered', text: 'rejected' };
  return TONES[event.type];
}

/** Which of how many attempts failed, and why in short. */
function momentWords(event: RunEvent): string | null {
  if (event.type !== 'AttemptFailed') return null;
  return `attempt ${event.attempt} of ${event.max_attempts} failed: ${brief(event.error.message, 60)}`;
}

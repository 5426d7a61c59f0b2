/** The events of a run's log as they arrive: their types, and whom each is about. */

import type { NodeWaiting, RunEvent } from './eventForms.gen.ts';

export type {
  EditedKey,
  EventError as WireError,
  Held as Hold,
  RunEvent,
  RunLimits,
  WantedChild,
} from './eventForms.gen.ts';

export type WaitingOn = NodeWaiting['on'];

export type RunEventType = RunEvent['type'];
export type EventOf<T extends RunEventType> = Extract<RunEvent, { type: T }>;

/** The activation an event is about, where it is about one. */
export function keyOf(event: RunEvent): string | undefined {
  return 'key' in event ? event.key : undefined;
}

/** The node an event is about, where it is about one. */
export function nodeOf(event: RunEvent): string | undefined {
  return 'node' in event ? event.node : undefined;
}

/** `mapper#1/worker[0]#1` → `worker`. */
export function nodeOfKey(key: string): string {
  const last = key.slice(key.lastIndexOf('/') + 1);
  return last.split('#')[0]?.split('[')[0] ?? last;
}

/** The activations that enclose a key, outermost first: `a#1/b#1/c#1` → `a#1`, `a#1/b#1`. */
export function ancestorsOf(key: string): string[] {
  const parts = key.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The activation that an undo undoes: `charge[undo1]#2` → `charge#2`; null for any other key. */
export function undoneBy(key: string): string | null {
  const found = /^(.*)\[undo\d+\](#\d+)$/.exec(key);
  return found ? `${found[1]}${found[2]}` : null;
}

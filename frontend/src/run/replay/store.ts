/** What the run page holds: the log, the view at head and at the scrubber, and live text. */

import { createStore } from 'zustand/vanilla';

import type { RunEvent } from '../fold/events.ts';
import type { Names } from '../values/people.ts';
import { type MemoryRules, type RunView, emptyView, isSettled } from '../fold/model.ts';
import { Replay } from './replay.ts';

/** Text that streams in before its durable result; not part of the log. */
export interface Delta {
  key: string;
  text?: string;
  reset?: boolean;
}

export interface RunState {
  /** The view that is shown: at the scrubber, else at the head. */
  view: RunView;
  head: RunView;
  events: readonly RunEvent[];
  /** Seq of the scrubber; null follows the head. */
  scrub: number | null;
  live: Readonly<Record<string, string>>;
  /** Add events; false on a gap, then the caller asks again from `cursor()`. */
  receive: (events: readonly RunEvent[]) => boolean;
  receiveDelta: (delta: Delta) => void;
  scrubTo: (seq: number | null) => void;
  /** How writes land in memory, as the run's document says. */
  setRules: (rules: MemoryRules) => void;
  /** Whom the server names beside the run. */
  people: Names;
  setPeople: (people: Names) => void;
  cursor: () => number;
}

export type RunStore = ReturnType<typeof createRunStore>;

/** Calls back once, soon; many calls before that count as one. */
export type Schedule = (flush: () => void) => void;

const MAX_LIVE_CHARS = 4000;

const byFrame: Schedule = (flush) => {
  requestAnimationFrame(flush);
};

export function createRunStore(schedule: Schedule = byFrame) {
  const replay = new Replay();
  let pending: Record<string, string> | null = null;

  return createStore<RunState>()((set, get) => {
    const flush = (): void => {
      if (pending !== null) set({ live: pending });
      pending = null;
    };
    return {
      view: emptyView(),
      head: emptyView(),
      events: [],
      scrub: null,
      live: {},
      receive: (events) => {
        const complete = replay.append(events);
        const { head } = replay;
        if (head !== get().head) {
          const { scrub, view } = get();
          pending = withoutSettled(pending ?? get().live, head);
          set({
            head,
            events: [...replay.events],
            view: scrub === null ? head : view,
            live: pending,
          });
          pending = null;
        }
        return complete;
      },
      receiveDelta: ({ key, text = '', reset = false }) => {
        const activation = replay.head.activations[key];
        if (activation !== undefined && isSettled(activation.status)) return;
        if (pending === null) {
          pending = { ...get().live };
          schedule(flush);
        }
        pending[key] = ((reset ? '' : pending[key]) ?? '').concat(text).slice(-MAX_LIVE_CHARS);
      },
      scrubTo: (seq) => {
        const scrub = seq !== null && seq >= replay.head.seq ? null : seq;
        set({ scrub, view: scrub === null ? replay.head : replay.at(scrub) });
      },
      setRules: (rules) => {
        replay.setRules(rules);
        const { scrub } = get();
        set({ head: replay.head, view: scrub === null ? replay.head : replay.at(scrub) });
      },
      people: {},
      setPeople: (people) => {
        set({ people });
      },
      cursor: () => replay.head.seq,
    };
  });
}

/** A settled activation has its durable result: streamed text makes way for it. */
function withoutSettled(
  live: Readonly<Record<string, string>>,
  head: RunView,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(live).filter(([key]) => {
      const activation = head.activations[key];
      return activation === undefined || !isSettled(activation.status);
    }),
  );
}

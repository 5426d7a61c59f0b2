import { createContext, use } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Interrupt, InterruptAnswer } from '../../../api/types/types.ts';
import { Looks } from './looks/looks.ts';
import {
  type Effect,
  type HeldVerb,
  type Press,
  type Rhythm,
  type RhythmEvent,
  start,
  step,
} from './machine.ts';

/** Where the machine runs: outside of drawing, so that presses faster than the page add up. */
export interface Conductor {
  store: StoreApi<Rhythm>;
  dispatch: (event: RhythmEvent) => readonly Effect[];
  /** Decide the item on screen; nothing happens unless it was looked at. */
  decide: (
    item: Interrupt,
    verb: HeldVerb,
    answer: InterruptAnswer | null,
    press: Press,
    due: 'nothing' | 'reason' | 'confirm',
  ) => void;
  /** Whether another verb may be used on the item now; says why not. */
  allows: (id: string, press: Press) => boolean;
  /** How long each item was looked at. */
  looks: Looks;
}

export type Performer = (effect: Effect, answers: ReadonlyMap<string, InterruptAnswer>) => void;

/** A machine whose effects are performed by the page. */
export function createConductor(perform: Performer): Conductor {
  const store = createStore<Rhythm>(() => start);
  const answers = new Map<string, InterruptAnswer>();
  const looks = new Looks();
  store.subscribe((now, before) => looks.changed(now.shown, before.shown, performance.now()));
  const dispatch = (event: RhythmEvent) => {
    const [next, effects] = step(store.getState(), event);
    store.setState(next, true);
    for (const effect of effects) perform(effect, answers);
    return effects;
  };
  return {
    store,
    dispatch,
    decide: (item, verb, answer, press, due) => {
      const { shown } = store.getState();
      const seen = shown?.id === item.request_id ? { seen: looks.seen(shown, press.at) } : {};
      if (answer !== null) answers.set(item.request_id, { ...answer, ...seen });
      dispatch({ type: 'decide', verb, press, due });
      answers.delete(item.request_id);
    },
    allows: (id, press) =>
      dispatch({ type: 'other', id, press }).some((effect) => effect.do === 'allow'),
    looks,
  };
}

/** The machine of the inbox; null where an item is shown on another page. */
export const ConductorContext = createContext<Conductor | null>(null);
export const useConductor = (): Conductor | null => use(ConductorContext);

/** Why the last press on the item did not count, for as long as that is told; else empty. */
export const RefusedContext = createContext('');

const idle = createStore<Rhythm>(() => start);

/** A part of the machine's state; that of one at rest where there is none. */
export function useRhythm<T>(part: (state: Rhythm) => T): T {
  return useStore(useConductor()?.store ?? idle, part);
}

/** When a key or button was pressed, and whether by keeping it down or by the rest of a double click. */
export function pressOf(event?: Event | { nativeEvent: Event }): Press {
  if (event === undefined) return { at: performance.now(), repeat: false };
  const native = 'nativeEvent' in event ? event.nativeEvent : event;
  const again = native instanceof KeyboardEvent ? native.repeat : false;
  const double = native instanceof MouseEvent && native.detail > 1;
  return { at: native.timeStamp, repeat: again || double };
}

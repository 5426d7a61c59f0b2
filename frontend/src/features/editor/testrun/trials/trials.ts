/** What test runs of the open graph do with its nodes: which are pinned, and before which they stand. */

import { notifications } from '@mantine/notifications';
import { create } from 'zustand';
import { messageOf } from '../../../../api/http/client.ts';
import { clearPin, type Pin, readPins, setPin } from '../../../../api/http/pins.ts';
import { useEditor } from '../../../../store/editor.ts';
import { announce } from '../../../../ui/announce.ts';
import { REAL_AGAIN } from '../stale/words.ts';
import { renamedIn } from './following.ts';

interface Trials {
  graphId: string;
  pins: ReadonlyMap<string, Pin>;
  /** One's own, kept in this browser. */
  breakpoints: ReadonlySet<string>;
}

export const useTrials = create<Trials>(() => ({
  graphId: '',
  pins: new Map(),
  breakpoints: new Set(),
}));
const { setState: set, getState: get } = useTrials;

const keptAt = (graphId: string) => `graphwright.breakpoints.${graphId}`;

function keptBreakpoints(graphId: string): Set<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(keptAt(graphId)) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}

/** Begin with what is kept of a graph. */
export async function beginTrials(graphId: string): Promise<void> {
  set({ graphId, pins: new Map(), breakpoints: keptBreakpoints(graphId) });
  const pins = await readPins(graphId).catch(() => []); // without them one begins with none
  if (get().graphId === graphId) set({ pins: new Map(pins.map((pin) => [pin.node, pin])) });
}

/** Stand before a node in the next runs, or no longer. */
export function toggleBreakpoint(node: string): void {
  const breakpoints = new Set(get().breakpoints);
  if (!breakpoints.delete(node)) breakpoints.add(node);
  keepBreakpoints(breakpoints);
}

function keepBreakpoints(breakpoints: ReadonlySet<string>): void {
  set({ breakpoints });
  try {
    localStorage.setItem(keptAt(get().graphId), JSON.stringify([...breakpoints]));
  } catch {
    // Storage is full or forbidden: it holds until the page is left.
  }
}

// Pins and breakpoints stay with a node that gets another id; the server moves its pins with the save.
useEditor.subscribe((state, before) => {
  const { graphId, pins, breakpoints } = get();
  const now = state.records.nodes;
  if (now === before.records.nodes || state.graphId !== graphId || before.graphId !== graphId)
    return;
  const names = renamedIn(before.records.nodes, now, new Set([...pins.keys(), ...breakpoints]));
  if (names.size === 0) return;
  const called = (node: string) => names.get(node) ?? node;
  const moved = [...pins.values()].map((pin) => ({ ...pin, node: called(pin.node) }));
  set({ pins: new Map(moved.map((pin) => [pin.node, pin])) });
  if ([...names.keys()].some((node) => breakpoints.has(node)))
    keepBreakpoints(new Set([...breakpoints].map(called)));
});

/** Pin what a node gave in a run, or let it run again. */
export async function togglePin(node: string, runId: string | null): Promise<void> {
  const { graphId, pins } = get();
  try {
    const known = pins.has(node);
    if (!known && runId === null) throw new Error('Run it once: then its answer can be pinned.');
    const pin = known ? null : await setPin(graphId, node, runId ?? '');
    if (known) await clearPin(graphId, node);
    if (get().graphId !== graphId) return;
    const now = new Map(get().pins);
    if (pin === null) now.delete(node);
    else now.set(node, pin);
    set({ pins: now });
    announce(pin === null ? REAL_AGAIN : 'Its pinned answer stands in for it');
  } catch (error) {
    notifications.show({ color: 'red', title: 'Not pinned', message: messageOf(error) });
  }
}

/** What of this the next run takes along: of nodes that are still there. */
export function trialOf(nodes: { has: (id: string) => boolean }): {
  pins?: boolean;
  breakpoints?: string[];
} {
  const { pins, breakpoints } = get();
  const held = [...breakpoints].filter((node) => nodes.has(node));
  const pinned = [...pins.keys()].some((node) => nodes.has(node));
  return { ...(pinned ? { pins: true } : {}), ...(held.length > 0 ? { breakpoints: held } : {}) };
}

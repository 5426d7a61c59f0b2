/** What test runs of the open graph do with its nodes: which are pinned, and before which they stand. */

import { notifications } from '@mantine/notifications';
import { create } from 'zustand';
import { messageOf } from '../../../../api/http/client.ts';
import { clearPin, type Pin, readPins, setPin } from '../../../../api/http/pins.ts';

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
  set({ breakpoints });
  try {
    localStorage.setItem(keptAt(get().graphId), JSON.stringify([...breakpoints]));
  } catch {
    // Storage is full or forbidden: it holds until the page is left.
  }
}

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

/** Code of the page that is fetched later: how one sees that it could not be, and when the server is back. */

import { backoffMs } from '../../../api/live/backoff.ts';

/** How browsers say that a part of the page could not be fetched; none has a name or a code for it. */
const GONE =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|module script/i;

const unloaded = new WeakSet<object>();

/** Keep in mind that an error came of fetching code, whatever its words are. */
export const noteUnloaded = (error: Error): void => void unloaded.add(error);

/** Whether an error means that code of this page could not be fetched. */
export const isCodeGone = (error: unknown): boolean =>
  error instanceof Error && (unloaded.has(error) || GONE.test(error.message));

/** Whether the server answers; that nothing is at this address is an answer, a proxy's 502 is none. */
export async function isThere(): Promise<boolean> {
  try {
    const { status } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
    return status < 500;
  } catch {
    return false;
  }
}

const never = () => false;
let isHeardAway = never;

/** Have somebody who hears of it tell, too, that the server is away. Returns what stops it. */
export function hearAway(isAway: () => boolean): () => void {
  isHeardAway = isAway;
  return () => {
    isHeardAway = never;
  };
}

/** Whether it is known without asking that nothing can be fetched now. */
export const isKnownAway = (): boolean => !navigator.onLine || isHeardAway();

/** After a while, or at once where the browser comes online. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      window.removeEventListener('online', done);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
  });

async function answered(): Promise<void> {
  for (let attempt = 0; !(await isThere()); attempt += 1)
    await pause(backoffMs(attempt, Math.random()));
}

let back: Promise<void> | null = null;

/** Keeps once the server answers; all who wait ask as one. */
export function whenBack(): Promise<void> {
  back ??= answered().finally(() => {
    back = null;
  });
  return back;
}

const seen = new WeakSet<object>();

/** Fetch code whose absence the caller sees to: nobody else speaks of it. */
export async function seeTo<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error) seen.add(error);
    throw error;
  }
}

/** Whether somebody sees to what came of fetching code. */
export const isSeenTo = (error: unknown): boolean => error instanceof Error && seen.has(error);

const GIVEN_UP = 'graphwright:code-gone';

/** Tell whoever watches for newer versions that code could not be fetched though the server is there. */
export const giveUp = (): void => void window.dispatchEvent(new Event(GIVEN_UP));

/** Hear of code that was given up. Returns what stops it. */
export function onGivenUp(listener: () => void): () => void {
  window.addEventListener(GIVEN_UP, listener);
  return () => window.removeEventListener(GIVEN_UP, listener);
}

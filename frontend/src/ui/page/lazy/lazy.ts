/**
 * Parts of a page that are fetched later. One that cannot be fetched stays away alone, whatever else the page shows,
 * and comes when the server is back. `lazy` of React would take the whole page down with it.
 */

import { notifications } from '@mantine/notifications';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { giveUp, isCodeGone, isKnownAway, isThere, seeTo, whenBack } from './codeGone.ts';

interface Part<P> {
  default: ComponentType<P>;
}

const NOTICE = 'server-away';
let awaited = 0;

/** Wait for the server, and say so: somebody asked for what cannot be fetched. */
async function sayAndWait(): Promise<void> {
  if (await isThere()) return;
  awaited += 1;
  notifications.show({
    id: NOTICE,
    autoClose: false,
    title: 'The server cannot be reached',
    message: 'What you opened could not be fetched. It comes as soon as the server is back.',
  });
  try {
    await whenBack();
  } finally {
    awaited -= 1;
    if (awaited === 0) notifications.hide(NOTICE);
  }
}

/**
 * Fetch code, again once the server is back; null where it is gone all the same, which offers to reload. Browsers keep
 * in mind what they could not fetch until then: what is known to be in vain is not tried.
 */
export async function fetched<T>(
  load: () => Promise<T>,
  wait: () => Promise<void> = whenBack,
): Promise<T | null> {
  if (isKnownAway()) await wait();
  try {
    return await seeTo(load);
  } catch (error) {
    if (!isCodeGone(error)) throw error;
  }
  await wait();
  try {
    return await seeTo(load);
  } catch (error) {
    if (!isCodeGone(error)) throw error;
    giveUp();
    return null;
  }
}

const Nothing = () => null;
const drawn = async <P>(
  part: Promise<Part<P> | null>,
  instead: ComponentType<P> = Nothing,
): Promise<Part<P>> => (await part) ?? { default: instead };

/** A part that comes by itself: while it cannot be fetched, nothing is said of it; `instead` where it never can. */
export const lazyInBackground = <P>(
  load: () => Promise<Part<P>>,
  instead?: ComponentType<P>,
): LazyExoticComponent<ComponentType<P>> => lazy(() => drawn(fetched(load), instead));

/** A part that somebody opens: while it cannot be fetched, a notice says so. */
export const lazyOnDemand = <P>(
  load: () => Promise<Part<P>>,
): LazyExoticComponent<ComponentType<P>> => lazy(() => drawn(fetched(load, sayAndWait)));

import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import {
  isCodeGone,
  isSeenTo,
  isThere,
  noteUnloaded,
  onGivenUp,
  seeTo,
  whenBack,
} from '../ui/page/lazy/codeGone.ts';

const NOTICE = 'new-version';

export const reload = () => window.location.reload();

/** So soon after a reload another one would bring the same. */
const AGAIN_MS = 10_000;
const LAST = 'graphwright.reloaded';

/** Whether the page is reloaded now; not where it just was, or where the browser keeps nothing for us. */
function reloadsOnce(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(LAST)) < AGAIN_MS) return false;
    sessionStorage.setItem(LAST, String(Date.now()));
  } catch {
    return false;
  }
  reload();
  return true;
}

/**
 * Fetch the code of a page that somebody goes to. Where it is gone, the server has a newer version: the address is
 * opened anew, as what was open before has been left already. The promise is not kept then: the page goes.
 */
export async function visited<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await seeTo(load);
  } catch (error) {
    // offline, the browser's own error would stand in place of everything
    if (isCodeGone(error) && (await isThere()) && reloadsOnce())
      return await new Promise<never>(() => undefined);
    throw error;
  }
}

/** Whether the server is away; once it is back, the page is opened anew: what was open before has been left already. */
function useAway(): boolean {
  const [isAway, setAway] = useState(!navigator.onLine);
  useEffect(() => {
    let isLeft = false;
    const wait = async () => {
      if (await isThere()) return;
      if (!isLeft) setAway(true);
      await whenBack();
      if (!isLeft) reload();
    };
    void wait();
    return () => void (isLeft = true);
  }, []);
  return isAway;
}

/** In place of a page whose code could not be fetched: it is gone, or the server is away. */
export function NewVersion() {
  if (useAway())
    return (
      <div role="alert">
        <EmptyState
          icon={IconCloudOff}
          title="The server cannot be reached"
          text="This page opens by itself as soon as the server is back."
        />
      </div>
    );
  return (
    <div role="alert">
      <EmptyState
        icon={IconRefresh}
        title="This page needs to be reloaded"
        text="A part of it could not be fetched. Graphwright was probably updated while the page was open."
        action={<Button onClick={reload}>Reload the page</Button>}
      />
    </div>
  );
}

function offerReload(): void {
  notifications.show({
    id: NOTICE,
    autoClose: false,
    title: 'This page needs to be reloaded',
    message: (
      <>
        <Text size="sm" mb={8}>
          A part of it could not be fetched. Graphwright was probably updated or restarted while the
          page was open.
        </Text>
        <Button size="xs" onClick={reload}>
          Reload the page
        </Button>
      </>
    ),
  });
}

/**
 * Offer to reload where code of a part is gone that is fetched later, once there is a server to reload from. Nothing
 * is offered where somebody sees to it: the page to which one goes, and a part that waits for the server.
 */
export function watchForNewVersions(): () => void {
  const heard = (event: Event) => {
    const { payload } = event as Event & { payload?: unknown };
    if (payload instanceof Error) noteUnloaded(payload);
    // whoever asked for the code hears of it first
    setTimeout(() => {
      if (!isSeenTo(payload)) void whenBack().then(offerReload);
    });
  };
  window.addEventListener('vite:preloadError', heard);
  const stop = onGivenUp(offerReload);
  return () => {
    stop();
    window.removeEventListener('vite:preloadError', heard);
  };
}

/** In place of notices where their code is gone: nothing else could say so. */
export const NoNotices = () => (
  <div role="alert" style={{ position: 'fixed', insetInlineEnd: 16, bottom: 16 }}>
    <Button onClick={reload}>Reload the page: a part of it could not be fetched</Button>
  </div>
);

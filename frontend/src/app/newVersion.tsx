import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { EmptyState } from '../ui/page/EmptyState.tsx';

const NOTICE = 'new-version';
/** How browsers say that a part of the page could not be fetched; none has a name or a code for it. */
const GONE =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|module script/i;

let unloaded = new WeakSet<object>();

/** Whether an error means that code of this page could not be fetched: most likely the server has a newer one. */
export const isCodeGone = (error: unknown): boolean =>
  error instanceof Error && (unloaded.has(error) || GONE.test(error.message));

export const reload = () => window.location.reload();

/** So soon after a reload another one would bring the same. */
const AGAIN_MS = 10_000;
const LAST = 'graphwright.reloaded';
let visiting = 0;

/** Whether the server gives the page: offline, the browser's own error would stand in place of everything. */
async function isThere(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

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
  visiting += 1;
  try {
    return await load();
  } catch (error) {
    if (isCodeGone(error) && (await isThere()) && reloadsOnce())
      return await new Promise<never>(() => undefined);
    throw error;
  } finally {
    visiting -= 1;
  }
}

/** In place of a page whose code is gone. */
export function NewVersion() {
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
          A part of it could not be fetched. Graphwright was probably updated while the page was
          open.
        </Text>
        <Button size="xs" onClick={reload}>
          Reload the page
        </Button>
      </>
    ),
  });
}

/** Offer to reload where code of a part is gone that is fetched later; a page to which one goes sees to itself. */
export function watchForNewVersions(): () => void {
  const heard = (event: Event) => {
    const { payload } = event as Event & { payload?: unknown };
    if (payload instanceof Error) unloaded.add(payload);
    if (visiting === 0) offerReload();
  };
  window.addEventListener('vite:preloadError', heard);
  return () => {
    window.removeEventListener('vite:preloadError', heard);
    unloaded = new WeakSet();
  };
}

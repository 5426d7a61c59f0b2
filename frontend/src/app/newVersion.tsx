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

/** Offer to reload whenever code that is fetched later is gone, also where no page is drawn of it. */
export function watchForNewVersions(): () => void {
  const heard = (event: Event) => {
    const { payload } = event as Event & { payload?: unknown };
    if (payload instanceof Error) unloaded.add(payload);
    offerReload();
  };
  window.addEventListener('vite:preloadError', heard);
  return () => {
    window.removeEventListener('vite:preloadError', heard);
    unloaded = new WeakSet();
  };
}

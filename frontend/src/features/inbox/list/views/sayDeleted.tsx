import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from '../../../../api/http/client.ts';

const SHOWN_MS = 8_000;

interface Undone {
  said: string;
  /** What is said where it cannot be taken back. */
  title: string;
  undo: () => Promise<unknown>;
}

/** Say what was done, with the way back for as long as it is said. */
export function sayUndone({ said, title, undo }: Undone): void {
  const back = () => {
    notifications.hide(id);
    undo().catch((error: unknown) =>
      notifications.show({ color: 'red', title, message: messageOf(error) }),
    );
  };
  const id = notifications.show({
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {said}
        <Button size="compact-sm" variant="default" onClick={back}>
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Say that a view is gone. */
export const sayDeleted = (name: string, undo: () => Promise<unknown>): void =>
  sayUndone({
    said: `The view ${name} is deleted.`,
    title: `The view ${name} was not brought back`,
    undo,
  });

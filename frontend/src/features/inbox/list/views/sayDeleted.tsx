import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from '../../../../api/http/client.ts';

const SHOWN_MS = 8_000;

/** Say that a view is gone, with the way back for as long as it is said. */
export function sayDeleted(name: string, bringBack: () => Promise<unknown>): void {
  const title = `The view ${name} was not brought back`;
  const undo = () => {
    notifications.hide(id);
    bringBack().catch((error: unknown) =>
      notifications.show({ color: 'red', title, message: messageOf(error) }),
    );
  };
  const id = notifications.show({
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        The view {name} is deleted.
        <Button size="compact-sm" variant="default" onClick={undo}>
          Undo
        </Button>
      </Group>
    ),
  });
}

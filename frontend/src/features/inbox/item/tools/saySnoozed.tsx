import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { formatUntil } from '../../../../ui/format/format.ts';

const SHOWN_MS = 8_000;

/** Say until when an item sleeps, with the way back for as long as it is said. */
export function saySnoozed(until: Date, wake: () => void): void {
  const undo = () => {
    notifications.hide(id);
    wake();
  };
  const id = notifications.show({
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        Snoozed until {formatUntil(until, new Date())}.
        <Button size="compact-sm" variant="default" onClick={undo}>
          Undo
        </Button>
      </Group>
    ),
  });
}

import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { asksForFields } from '../../../../graph/fields/asksForFields.ts';
import { useEditor } from '../../../../store/editor.ts';

const SHOWN_MS = 6_000;

/** Say which version is live now, with the way to where people use it: a form for fields, else a chat. */
export function sayLive(graphId: string, version: number, go: (path: string) => void): void {
  const asks = asksForFields(useEditor.getState().records.settings.interface?.inputs);
  const id = notifications.show({
    color: 'green',
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        Version {version} is live
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            go(`/workflows/${graphId}/${asks ? 'form' : 'chat'}`);
          }}
        >
          {asks ? 'Open the form' : 'Open the chat'}
        </Button>
      </Group>
    ),
  });
}

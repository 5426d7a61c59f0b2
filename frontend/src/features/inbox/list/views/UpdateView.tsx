import { Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Action, useActions } from '../../../../actions/registry.ts';
import { messageOf } from '../../../../api/http/client.ts';
import type { InterruptFilter } from '../../../../api/http/lists.ts';
import { sayUndone } from './sayDeleted.tsx';
import { changeView, queryOf, type SavedView } from './viewQueries.ts';

interface UpdateViewProps {
  view: SavedView;
  filter: InterruptFilter;
  onDone: () => Promise<unknown>;
}

/** Lets a saved view show what the list shows now; found in the palette, too. */
export function UpdateView({ view, filter, onDone }: UpdateViewProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => changeView(view, { query: queryOf(filter) }),
    onSuccess: () =>
      sayUndone({
        said: `The view ${view.name} shows this from now on.`,
        title: `The view ${view.name} was not put back`,
        undo: () => changeView(view, { query: view.query }).then(onDone),
      }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: `The view ${view.name} stays as it was`,
        message: messageOf(error),
      }),
    onSettled: onDone,
  });
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: 'inbox.view.update',
          label: `Update the view ${view.name}`,
          group: 'Inbox',
          run: () => mutate(),
        },
      ],
      [view.name, mutate],
    ),
  );
  return (
    <Tooltip label="Let this view show what the list shows now">
      <button
        type="button"
        data-update
        aria-label={`Update the view ${view.name}`}
        disabled={isPending}
        onClick={() => mutate()}
      >
        <IconDeviceFloppy size={13} aria-hidden />
        Update
      </button>
    </Tooltip>
  );
}

import { ActionIcon, Button, Popover, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { type Action, useActions } from '../../../../actions/registry.ts';
import { messageOf } from '../../../../api/http/client.ts';
import { useEscape } from '../../../../ui/keys/useEscape.ts';
import { ViewName } from './ViewName.tsx';
import { nameProblem, plainName } from './viewName.ts';
import { changeView, type SavedView, savedViewsQuery } from './viewQueries.ts';

/** Gives a saved view another name; found in the palette, too. */
export function RenameView({ view, onDone }: { view: SavedView; onDone: () => unknown }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(view.name);
  const { data: views = [] } = useQuery(savedViewsQuery);
  const others = views.filter((one) => one.mine && one.id !== view.id).map((one) => one.name);
  const problem = nameProblem(name, others);
  const rename = useMutation({
    mutationFn: () => changeView(view, { name: plainName(name) }),
    onSuccess: () => {
      setOpen(false);
      return onDone();
    },
  });
  useEscape(isOpen, () => setOpen(false));
  const { reset } = rename;
  const open = useCallback(() => {
    setName(view.name);
    reset();
    setOpen(true);
  }, [view.name, reset]);
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: 'inbox.view.rename',
          label: `Rename the view ${view.name}`,
          group: 'Inbox',
          run: open,
        },
      ],
      [view.name, open],
    ),
  );
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={`Rename the view ${view.name}`}
          aria-expanded={isOpen}
          onClick={() => (isOpen ? setOpen(false) : open())}
        >
          <IconPencil size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (problem === null) rename.mutate();
          }}
        >
          <Stack gap="xs">
            <ViewName value={name} problem={problem} selects onChange={setName} />
            {rename.error ? (
              <Text size="sm" c="red" role="alert">
                {messageOf(rename.error)}
              </Text>
            ) : null}
            <Button
              type="submit"
              size="xs"
              loading={rename.isPending}
              disabled={problem !== null || plainName(name) === view.name}
            >
              Rename
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

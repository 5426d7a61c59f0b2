import { ActionIcon, Button, Checkbox, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { IconBookmarkPlus, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import { useEscape } from '../../../../ui/keys/useEscape.ts';
import standing from '../../item/item.module.css';
import type { HeadProps } from '../InboxHead.tsx';
import { ViewName } from './ViewName.tsx';
import { RenameView } from './RenameView.tsx';
import { sayDeleted } from './sayDeleted.tsx';
import { UpdateView } from './UpdateView.tsx';
import { isSameName, nameProblem, plainName } from './viewName.ts';
import { isShown, partOf, queryOf, save, type SavedView, savedViewsQuery } from './viewQueries.ts';

interface SavedViewsProps extends HeadProps {
  /** One's own view that one came from and that shows something else. */
  changed?: SavedView | undefined;
}

/** The views that people saved, with how many items each shows; nothing where there are none. */
export function SavedViews({ filter, change, changed }: SavedViewsProps) {
  const client = useQueryClient();
  const { data: views = [] } = useQuery(savedViewsQuery);
  const again = () => client.invalidateQueries({ queryKey: savedViewsQuery.queryKey });
  const remove = useMutation({
    mutationFn: (view: SavedView) => api.delete(`inbox-views/${view.id}/`),
    onSuccess: (_, view) => sayDeleted(view.name, () => save(view).then(again)),
    onSettled: again,
  });
  if (views.length === 0) return null;
  return (
    <div className={standing.views} role="group" aria-label="Saved views">
      {views.map((view) => (
        <span key={view.id} className={standing.saved}>
          <button
            type="button"
            aria-pressed={isShown(view, filter)}
            title={view.mine ? view.name : `${view.name}, shared by ${view.by.name}`}
            onClick={() => change(partOf(view))}
          >
            <span className={standing.viewName}>{view.name}</span>{' '}
            <b>
              {view.count.toLocaleString('en')}
              {view.count_is_more ? '+' : ''}
            </b>
          </button>
          {view.mine && isShown(view, filter) ? (
            <>
              <RenameView view={view} onDone={again} />
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                aria-label={`Delete the view ${view.name}`}
                onClick={() => remove.mutate(view)}
              >
                <IconX size={14} />
              </ActionIcon>
            </>
          ) : null}
          {view.id === changed?.id ? (
            <UpdateView view={view} filter={filter} onDone={again} />
          ) : null}
        </span>
      ))}
    </div>
  );
}

/** Keeps what the list shows now under a name; not offered where a saved view is what it shows. */
export function SaveView({ filter }: Pick<HeadProps, 'filter'>) {
  const client = useQueryClient();
  const { data: views = [] } = useQuery(savedViewsQuery);
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const problem = nameProblem(name);
  const [isShared, setShared] = useState(false);
  const keep = useMutation({
    mutationFn: () => save({ name: plainName(name), query: queryOf(filter), shared: isShared }),
    onSuccess: async () => {
      setOpen(false);
      setName('');
      setTried(false);
      await client.invalidateQueries({ queryKey: savedViewsQuery.queryKey });
    },
  });
  const isOffered = !views.some((view) => isShown(view, filter));
  useEscape(isOpen && isOffered, () => setOpen(false));
  if (!isOffered) return null;
  const known = views.find((view) => view.mine && isSameName(view.name, name));
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus>
      <Popover.Target>
        <Tooltip label="Save this view">
          <Button
            size="xs"
            px={8}
            variant="default"
            aria-label="Save this view"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconBookmarkPlus size={14} aria-hidden />
          </Button>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown maw={320}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setTried(true);
            if (problem === null) keep.mutate();
          }}
        >
          <Stack gap="xs">
            <ViewName
              value={name}
              // Before anybody has written or sent one, a name that is missing is no mistake.
              problem={isTried || name.trim() !== '' ? problem : null}
              onChange={setName}
            />
            <Checkbox
              size="md"
              styles={{ label: { fontSize: 14 } }}
              label="For everybody here"
              checked={isShared}
              onChange={(event) => setShared(event.currentTarget.checked)}
            />
            {keep.error ? (
              <Text size="sm" c="red" role="alert">
                {messageOf(keep.error)}
              </Text>
            ) : null}
            <Button type="submit" size="xs" loading={keep.isPending}>
              {known ? `Replace the view ${known.name}` : 'Save'}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconApi,
  IconArchive,
  IconBolt,
  IconCopy,
  IconDots,
  IconDownload,
  IconFolderSymlink,
  IconForms,
  IconMessageCircle,
  IconRoute,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, messageOf } from '../../../api/http/client.ts';
import type { GraphSummary } from '../../../api/types/types.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { useNewGraph } from '../useNewGraph.ts';
import { lazyOnDemand } from '../../../ui/page/lazy/lazy.ts';

const KeepDialog = lazyOnDemand(() =>
  import('./keeping/KeepDialog.tsx').then((module) => ({ default: module.KeepDialog })),
);

interface RowMenuProps {
  graph: GraphSummary;
  onMove: ((graph: GraphSummary) => void) | null;
}

/** What can be done with one workflow of the list. */
export function RowMenu({ graph, onMove }: RowMenuProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const duplicate = useNewGraph();
  const [keeping, setKeeping] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.delete(`graphs/${graph.id}/`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphs'] }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'It was not deleted', message: messageOf(error) }),
  });
  const ask = async () => {
    const text =
      'The draft and all its versions go. Runs that were made with it stay readable. This cannot be undone.';
    if (await confirm({ title: `Delete “${graph.name}”?`, text, confirm: 'Delete', danger: true }))
      remove.mutate();
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`More for ${graph.name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {graph.published ? (
            <Menu.Item
              leftSection={<IconMessageCircle size={16} />}
              onClick={() => void navigate(`/workflows/${graph.id}/chat`)}
            >
              Chat
            </Menu.Item>
          ) : null}
          {graph.published ? (
            <Menu.Item
              leftSection={<IconForms size={16} />}
              onClick={() => void navigate(`/workflows/${graph.id}/form`)}
            >
              Form
            </Menu.Item>
          ) : null}
          <Menu.Item
            leftSection={<IconRoute size={16} />}
            onClick={() => void navigate(`/runs?graph=${graph.id}`)}
          >
            Its runs
          </Menu.Item>
          <Menu.Item
            leftSection={<IconBolt size={16} />}
            onClick={() => void navigate(`/workflows/${graph.id}/triggers`)}
          >
            Triggers
          </Menu.Item>
          <Menu.Item
            leftSection={<IconApi size={16} />}
            onClick={() => void navigate(`/workflows/${graph.id}/use`)}
          >
            Use it from a program
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => duplicate.mutate({ duplicate_of: graph.id })}
          >
            Duplicate
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            component="a"
            href={`/api/graphs/${graph.id}/export/?format=yaml`}
            download={`${graph.slug}.yaml`}
          >
            Export
          </Menu.Item>
          {onMove ? (
            <Menu.Item leftSection={<IconFolderSymlink size={16} />} onClick={() => onMove(graph)}>
              Move to a folder
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => setKeeping(true)}>
            How long runs are kept
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void ask()}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {keeping ? (
        <Suspense>
          <KeepDialog graph={graph} onClose={() => setKeeping(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

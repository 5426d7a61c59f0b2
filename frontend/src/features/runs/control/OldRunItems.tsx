import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload, IconPinned, IconPinnedOff, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, messageOf } from '../../../api/http/client.ts';
import { useSession } from '../../../api/http/queries.ts';
import type { RunDetail } from '../../../api/types/types.ts';
import { confirm } from '../../../ui/confirm.tsx';

/** What can be done with a run that is over, about how long it stays. */
export function OldRunItems({ run }: { run: RunDetail }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const role = useSession().data?.workspace?.role ?? '';
  const onError = (error: unknown) =>
    notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) });
  const keep = useMutation({
    mutationFn: () =>
      run.kept ? api.delete(`runs/${run.id}/kept/`) : api.post(`runs/${run.id}/kept/`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['run', run.id] });
      notifications.show({
        title: run.kept ? 'No longer kept' : 'Kept',
        message: run.kept
          ? 'The run goes when its time is over.'
          : 'The run stays, however old it is.',
      });
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: () => api.delete(`runs/${run.id}/archive/`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['runs'] });
      void navigate('/runs');
    },
    onError,
  });
  const ask = async () => {
    const text =
      'The run goes with its log, files, decisions and comments. The audit log and what it spent stay. This cannot be undone.';
    if (await confirm({ title: 'Delete this run?', text, confirm: 'Delete', danger: true }))
      remove.mutate();
  };
  return (
    <>
      {['author', 'operator', 'admin'].includes(role) ? (
        <Menu.Item
          leftSection={run.kept ? <IconPinnedOff size={16} /> : <IconPinned size={16} />}
          onClick={() => keep.mutate()}
        >
          {run.kept ? 'Keep no longer' : 'Keep, however old it is'}
        </Menu.Item>
      ) : null}
      {run.archived_at ? (
        <Menu.Item
          leftSection={<IconDownload size={16} />}
          component="a"
          href={`/api/runs/${run.id}/archive/`}
          download
        >
          Download the archive
        </Menu.Item>
      ) : null}
      {run.archived_at && role === 'admin' ? (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          disabled={run.kept ?? false}
          onClick={() => void ask()}
        >
          Delete for good
        </Menu.Item>
      ) : null}
    </>
  );
}

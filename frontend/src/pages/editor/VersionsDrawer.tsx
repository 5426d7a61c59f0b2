import { Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconHistory } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, messageOf } from '../../api/client.ts';
import { versionsQuery } from '../../api/queries.ts';
import type { GraphVersion } from '../../api/types.ts';
import { useEditor } from '../../store/editor.ts';
import { saveNow } from '../../store/saving.ts';
import { confirm } from '../../ui/confirm.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ListSkeleton } from '../../ui/Skeletons.tsx';
import classes from './editor.module.css';

const personName = (person: GraphVersion['published_by']) => (typeof person === 'string' ? person : (person?.name ?? ''));

/** The published versions, newest first; any of them can be put back into the draft. */
export function VersionsDrawer({ graphId, live, onClose, onRestored }: { graphId: string; live: number | null; onClose: () => void; onRestored: () => void }) {
  const { data, error, refetch } = useQuery(versionsQuery(graphId));
  const canEdit = useEditor((state) => state.can.edit);
  const restore = useMutation({
    mutationFn: async (number: number) => {
      await saveNow();
      await api.post(`graphs/${graphId}/versions/${number}/restore/`);
    },
    onSuccess: (_, number) => {
      notifications.show({ message: `Version ${number} is in the draft`, color: 'green' });
      onRestored();
    },
    onError: (failure) => notifications.show({ message: messageOf(failure), color: 'red' }),
  });
  const ask = async (number: number) => {
    const yes = await confirm({ title: `Restore version ${number}?`, text: 'It replaces the whole draft, for everybody. Published versions stay as they are. This cannot be undone.', confirm: 'Restore', danger: true });
    if (yes) restore.mutate(number);
  };
  return (
    <Drawer opened onClose={onClose} position="right" title="Versions" size={380}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={4} /> : null}
      {data?.length === 0 ? <EmptyState icon={IconHistory} title="Never published" text="A version is a snapshot of the draft that runs use. Publish to make the first." /> : null}
      <Stack gap={0}>
        {data?.map((version) => (
          <div key={version.number} className={classes.versionRow}>
            <Group justify="space-between" wrap="nowrap">
              <Group gap={8}><Text fw={600} size="sm">Version {version.number}</Text>{version.number === live ? <Badge size="sm" color="green">Live</Badge> : null}</Group>
              <Button size="compact-xs" variant="default" disabled={!canEdit} loading={restore.isPending && restore.variables === version.number} onClick={() => void ask(version.number)}>Restore</Button>
            </Group>
            {version.note ? <Text size="sm" mt={2}>{version.note}</Text> : null}
            <Text size="xs" c="dimmed" mt={2}><RelativeTime at={version.published_at} /> {personName(version.published_by) ? `by ${personName(version.published_by)}` : ''}</Text>
          </div>
        ))}
      </Stack>
    </Drawer>
  );
}

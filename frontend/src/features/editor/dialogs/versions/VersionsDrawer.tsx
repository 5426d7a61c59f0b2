import { ActionIcon, Badge, Button, Drawer, Group, Menu, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconDots,
  IconHistory,
  IconRocket,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiError, messageOf } from '../../../../api/http/client.ts';
import { versionQuery, versionsQuery } from '../../../../api/http/queries.ts';
import type { GraphVersion } from '../../../../api/types/types.ts';
import { toRecords } from '../../../../graph/document/document.ts';
import { useEditor } from '../../../../store/editor.ts';
import { saveNow } from '../../../../store/saving.ts';
import { confirm } from '../../../../ui/confirm.tsx';
import { EmptyState, ErrorState } from '../../../../ui/page/EmptyState.tsx';
import { RelativeTime } from '../../../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../../../ui/page/Skeletons.tsx';
import { CompareVersions, type Side } from './CompareVersions.tsx';
import classes from '../../editor.module.css';

const personName = (person: GraphVersion['published_by']) =>
  typeof person === 'string' ? person : (person?.name ?? '');

interface RowProps {
  version: GraphVersion;
  live: boolean;
  busy: boolean;
  onCompare: () => void;
  onRestore: () => void;
  onPromote: () => void;
}

function Row({ version, live, busy, onCompare, onRestore, onPromote }: RowProps) {
  const canEdit = useEditor((state) => state.can.edit);
  return (
    <div className={classes.versionRow}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8}>
          <Text fw={600} size="sm">
            Version {version.number}
          </Text>
          {live ? (
            <Badge size="sm" color="green">
              Live
            </Badge>
          ) : null}
        </Group>
        <Group gap={4} wrap="nowrap">
          <Button size="compact-xs" variant="default" onClick={onCompare}>
            Compare
          </Button>
          <Menu position="bottom-end" width={210}>
            <Menu.Target>
              <ActionIcon
                size="sm"
                loading={busy}
                disabled={!canEdit}
                aria-label={`More for version ${version.number}`}
              >
                <IconDots size={15} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconArrowBackUp size={15} />} onClick={onRestore}>
                Restore to the draft
              </Menu.Item>
              <Menu.Item leftSection={<IconRocket size={15} />} disabled={live} onClick={onPromote}>
                Make it live again
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      {version.note ? (
        <Text size="sm" mt={2}>
          {version.note}
        </Text>
      ) : null}
      <Text size="xs" c="dimmed" mt={2}>
        <RelativeTime at={version.published_at} />{' '}
        {personName(version.published_by) ? `by ${personName(version.published_by)}` : ''}
      </Text>
    </div>
  );
}

interface VersionsDrawerProps {
  graphId: string;
  live: number | null;
  onClose: () => void;
  onRestored: () => void;
  onPublished: (version: GraphVersion) => void;
}

/** The published versions, newest first: compare any two, put one into the draft, or make an older one live again. */
export function VersionsDrawer({
  graphId,
  live,
  onClose,
  onRestored,
  onPublished,
}: VersionsDrawerProps) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(versionsQuery(graphId));
  const [sides, setSides] = useState<[Side, Side] | null>(null);
  const onError = (failure: unknown) => {
    const problem = failure instanceof ApiError ? failure.problems[0] : undefined;
    notifications.show({
      title: 'Not done',
      message: problem
        ? `${messageOf(failure)} ${problem.say ?? problem.message}`
        : messageOf(failure),
      color: 'red',
    });
  };
  const askFor = async (number: number) => {
    await api.post(`graphs/${graphId}/publication/`, { version: number });
    notifications.show({
      title: `Version ${number} waits for approval`,
      message: 'It is live again once another person has approved it. Publish shows how it stands.',
    });
    void client.invalidateQueries({ queryKey: ['publication', graphId] });
  };
  const restore = useMutation({
    mutationFn: async (number: number) => {
      const { document } = await client.fetchQuery(versionQuery(graphId, number));
      await saveNow();
      // drawn here, so that it is one step of undo; the server then finds it done, and notes who did it
      useEditor.getState().gesture(`Restore version ${number}`, () => toRecords(document));
      await saveNow();
      await api.post(`graphs/${graphId}/versions/${number}/restore/`);
    },
    onSuccess: (_, number) => {
      notifications.show({
        message: `Version ${number} is in the draft. Undo brings back what was there.`,
        color: 'green',
      });
      onRestored();
    },
    onError,
  });
  const promote = useMutation({
    mutationFn: (number: number) =>
      api.post<GraphVersion>(`graphs/${graphId}/versions/${number}/promote/`),
    onSuccess: (version, number) => {
      notifications.show({
        message: `Version ${number} is live again, as version ${version.number}`,
        color: 'green',
      });
      void client.invalidateQueries({ queryKey: ['versions', graphId] });
      void client.invalidateQueries({ queryKey: ['graphs'] });
      onPublished(version);
    },
    onError: (failure, number) => {
      if (failure instanceof ApiError && failure.code === 'PublicationNeedsApproval')
        void askFor(number).catch(onError);
      else onError(failure);
    },
  });
  const ask = async (number: number) => {
    const yes = await confirm({
      title: `Restore version ${number}?`,
      text: 'It replaces the whole draft, for everybody. Published versions stay as they are. Undo brings back what is there now.',
      confirm: 'Restore',
    });
    if (yes) restore.mutate(number);
  };
  const askPromote = async (number: number) => {
    const yes = await confirm({
      title: `Make version ${number} live again?`,
      text: 'It becomes a new version with the same content. Runs that start from now on use it; runs under way and the draft stay as they are.',
      confirm: 'Make it live',
    });
    if (yes) promote.mutate(number);
  };
  const busy = (number: number) =>
    (restore.isPending && restore.variables === number) ||
    (promote.isPending && promote.variables === number);
  return (
    <Drawer opened onClose={onClose} position="right" title="Versions" size={sides ? 520 : 380}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={4} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={IconHistory}
          title="Never published"
          text="A version is a snapshot of the draft that runs use. Publish to make the first."
        />
      ) : null}
      {data && sides ? (
        <>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            mb="sm"
            leftSection={<IconArrowLeft size={15} />}
            onClick={() => setSides(null)}
          >
            All versions
          </Button>
          <CompareVersions
            graphId={graphId}
            versions={data}
            from={sides[0]}
            to={sides[1]}
            onPick={(from, to) => setSides([from, to])}
          />
        </>
      ) : (
        <Stack gap={0}>
          {data?.map((version) => (
            <Row
              key={version.number}
              version={version}
              live={version.number === live}
              busy={busy(version.number)}
              onCompare={() => setSides([version.number, 'draft'])}
              onRestore={() => void ask(version.number)}
              onPromote={() => void askPromote(version.number)}
            />
          ))}
        </Stack>
      )}
    </Drawer>
  );
}

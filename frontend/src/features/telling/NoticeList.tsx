import { Anchor, Button, Group, Select, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  channelsQuery,
  type Notice,
  noticesQuery,
  type Of,
  tellAgain,
} from '../../api/http/workspace/telling.ts';
import { CsvButton } from '../../ui/CsvButton.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { MoreRows } from '../../ui/table/MoreRows.tsx';
import { Part } from './Part.tsx';
import { useTelling } from './useTelling.ts';
import { aboutOf, noticeName, toldOf } from './words.ts';
import classes from './telling.module.css';

/** What was told and what waits to be told, how each fared, and once more. */
export function NoticeList({ of }: { of: Of }) {
  const [channel, setChannel] = useState<string | null>(null);
  const channels = useQuery(channelsQuery(of)).data ?? [];
  const list = useInfiniteQuery(noticesQuery(of, channel));
  const rows = list.data?.pages.flatMap((page) => page.results);
  if (channels.length === 0) return null;
  const choice = (
    <Group gap="xs">
      {channels.length > 1 ? (
        <Select
          aria-label="Channel"
          placeholder="All channels"
          clearable
          w={200}
          data={channels.map((each) => ({ value: each.id, label: each.name }))}
          value={channel}
          onChange={setChannel}
        />
      ) : null}
      {rows?.length ? (
        <CsvButton path="notices" query={{ of, ...(channel ? { channel } : {}) }} />
      ) : null}
    </Group>
  );
  return (
    <Part title="What was told" text="Each notice stands here for 30 days." action={choice}>
      {list.error ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : null}
      {!rows && !list.error ? <ListSkeleton rows={2} /> : null}
      {rows?.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing yet.
        </Text>
      ) : null}
      {rows?.length ? (
        <ol className={classes.notices} aria-label="What was told">
          {rows.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} of={of} />
          ))}
        </ol>
      ) : null}
      <MoreRows list={list} />
    </Part>
  );
}

function NoticeRow({ notice, of }: { notice: Notice; of: Of }) {
  const { mutate, isPending } = useTelling(of);
  const place = notice.item ? `/inbox/${notice.item}` : notice.run ? `/runs/${notice.run}` : null;
  const waits = notice.state === 'waiting' ? notice.next_at : null;
  return (
    <li data-state={notice.state}>
      <span className={classes.when}>
        <RelativeTime at={notice.at} />
      </span>
      <span className={classes.told}>
        <b>
          {place ? (
            <Anchor component={Link} to={place} inherit underline="always">
              {noticeName(notice)}
            </Anchor>
          ) : (
            noticeName(notice)
          )}
        </b>{' '}
        {aboutOf(notice)} → {notice.channel.name}{' '}
        <span className={classes.fate}>{toldOf(notice)}</span>
        {waits ? (
          <>
            , due <RelativeTime at={waits} />
          </>
        ) : null}
      </span>
      <Button
        variant="subtle"
        size="compact-xs"
        disabled={isPending}
        aria-label={`Tell ${notice.channel.name} again: ${noticeName(notice)}`}
        onClick={() => mutate(() => tellAgain(notice.id))}
      >
        Again
      </Button>
    </li>
  );
}

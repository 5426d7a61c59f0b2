import { Button } from '@mantine/core';
import { IconAt } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { mentionsQuery, readMentions, useUnread } from '../../../api/http/workspace/mentions.ts';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import pages from '../../../ui/page/pages.module.css';
import { ListFrame } from '../../../ui/table/ListFrame.tsx';
import { AsksYou } from './asks/AsksYou.tsx';
import { MentionRow } from './MentionRow.tsx';
import classes from './told.module.css';

/** `/mentions`: what comments say to the person; unread until the thread was opened. */
export default function MentionsPage() {
  const client = useQueryClient();
  const list = useInfiniteQuery(mentionsQuery);
  const unread = useUnread();
  const read = useMutation({
    mutationFn: () => readMentions(),
    onSettled: () => client.invalidateQueries({ queryKey: ['mentions'] }),
  });
  const rows = list.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <div className={pages.page}>
      <PageHeader
        title="Mentions"
        tab={unread > 0 ? `Mentions (${unread})` : 'Mentions'}
        text="Comments and questions that name you, and answers where you spoke."
      >
        {unread > 0 ? (
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
            Mark all as read
          </Button>
        ) : null}
      </PageHeader>
      <div className={pages.body}>
        <AsksYou />
        <ListFrame
          list={list}
          more="Show older ones"
          none={
            <EmptyState
              icon={IconAt}
              title="Nobody named you yet"
              text="Whoever writes @ and your name in a comment on a card or at an item of the inbox calls you here."
            />
          }
        >
          <ul className={classes.list}>
            {rows.map((mention) => (
              <MentionRow key={mention.id} mention={mention} />
            ))}
          </ul>
        </ListFrame>
      </div>
    </div>
  );
}

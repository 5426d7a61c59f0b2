import { Button, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCheck, IconChevronRight, IconRotate } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { unreadQuery } from '../../api/http/workspace/mentions.ts';
import { messageOf } from '../../api/http/client.ts';
import { replyIn, resolveThread, threadQuery } from '../../api/http/workspace/threads.ts';
import type { CardThread } from '../../api/types/types.ts';
import { useEditor } from '../../store/editor.ts';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { Comment } from './Comment.tsx';
import { heardComments, unfold, useCommenting } from './commenting.ts';
import classes from './comments.module.css';
import { useReading } from './told/useReading.ts';
import { Write } from './Write.tsx';

const replies = (count: number) => (count === 1 ? '1 reply' : `${count} replies`);
const countOf = ({ comments, resolved_at }: CardThread): string =>
  (comments > 1 ? replies(comments - 1) : 'No reply yet') + (resolved_at ? ' · resolved' : '');

interface ThreadCardProps {
  graphId: string;
  thread: CardThread;
  /** Where it is shown, if that is elsewhere: then it does not unfold here. */
  onGo?: () => void;
}

/** A thread: its beginning, and unfolded all that was said, with the place to answer and to resolve it. */
export function ThreadCard({ graphId, thread, onGo }: ThreadCardProps) {
  const open = useCommenting((state) => state.thread === thread.id) && !onGo;
  return (
    <article
      className={classes.thread}
      data-thread={thread.id}
      aria-label={`Thread of ${thread.by?.name ?? 'someone who left'}`}
    >
      <UnstyledButton
        className={classes.threadHead}
        aria-expanded={onGo ? undefined : open}
        onClick={onGo ?? (() => unfold(open ? null : thread.id))}
      >
        <IconChevronRight size={14} aria-hidden />
        {open ? <span>{countOf(thread)}</span> : <Folded thread={thread} />}
      </UnstyledButton>
      {open ? <Unfolded graphId={graphId} threadId={thread.id} /> : null}
    </article>
  );
}

/** How a thread begins, whose it is, and when something was said in it last. */
function Folded({ thread }: { thread: CardThread }) {
  const unread = useQuery(unreadQuery).data?.some((each) => each.thread === thread.id);
  return (
    <>
      <span className={classes.excerpt}>{thread.excerpt}</span>
      <span className={classes.facts}>
        {unread ? <b className={classes.mention}>New for you · </b> : null}
        {thread.by?.name ?? 'Someone who left'} · <RelativeTime at={thread.last_at} />
        {thread.comments > 1 ? ` · ${replies(thread.comments - 1)}` : ''}
        {thread.resolved_at ? ' · resolved' : ''}
      </span>
    </>
  );
}

function Unfolded({ graphId, threadId }: { graphId: string; threadId: string }) {
  const { data, error } = useQuery(threadQuery(graphId, threadId));
  const mayWrite = useEditor((state) => state.can.comment ?? false);
  const resolve = useMutation({
    mutationFn: (resolved: boolean) => resolveThread(graphId, threadId, resolved),
    onSettled: heardComments,
  });
  const whole = useRef<HTMLDivElement>(null);
  const loaded = data !== undefined;
  useReading({ thread: threadId }, loaded);
  useEffect(() => {
    if (loaded) whole.current?.scrollIntoView({ block: 'nearest' });
  }, [loaded]);
  const failed = error ?? resolve.error;
  return (
    <div
      ref={whole}
      className={classes.unfolded}
      data-field={data ? `comments.${threadId}` : undefined}
    >
      <ul className={classes.said}>
        {data?.said.map((comment) => (
          <Comment key={comment.id} graphId={graphId} threadId={threadId} comment={comment} />
        ))}
      </ul>
      {failed ? <p role="alert">{messageOf(failed)}</p> : null}
      {data && mayWrite ? (
        <>
          <Write
            place={threadId}
            label="Reply"
            send="Reply"
            onSend={async (said) => {
              await replyIn(graphId, threadId, said);
              heardComments();
            }}
          />
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            className={classes.resolve}
            loading={resolve.isPending}
            leftSection={data.resolved_at ? <IconRotate size={14} /> : <IconCheck size={14} />}
            onClick={() => resolve.mutate(data.resolved_at === null)}
          >
            {data.resolved_at ? 'Open again' : 'Resolve'}
          </Button>
        </>
      ) : null}
      {data?.resolved_by ? (
        <p className={classes.facts}>
          Resolved by {data.resolved_by.name}, <RelativeTime at={data.resolved_at} />
        </p>
      ) : null}
    </div>
  );
}

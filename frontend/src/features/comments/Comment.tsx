import { ActionIcon, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/http/queries.ts';
import { changeComment, deleteComment } from '../../api/http/workspace/threads.ts';
import type { CardComment } from '../../api/types/types.ts';
import { confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { heardComments } from './commenting.ts';
import classes from './comments.module.css';
import { Words } from './Words.tsx';
import { Write } from './Write.tsx';

interface CommentProps {
  graphId: string;
  threadId: string;
  comment: CardComment;
}

/** One comment; who wrote it changes it or takes it back. */
export function Comment({ graphId, threadId, comment }: CommentProps) {
  const me = useSession().data?.user?.id;
  const [editing, setEditing] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteComment(graphId, threadId, comment.id),
    onSettled: heardComments,
  });
  const ask = async () => {
    const text = 'It is gone for everyone, and the thread with it if nothing else was said.';
    if (await confirm({ title: 'Delete your comment?', text, confirm: 'Delete', danger: true }))
      remove.mutate();
  };
  return (
    <li className={classes.comment}>
      <header>
        <b>{comment.by?.name ?? 'Someone who left'}</b>
        <RelativeTime at={comment.at} />
        {comment.edited_at ? <span>edited</span> : null}
        {comment.by && comment.by.id === me && !editing ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="xs" aria-label="More for your comment" className={classes.more}>
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => setEditing(true)}>
                Edit
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={15} />}
                onClick={() => void ask()}
              >
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </header>
      {editing ? (
        <Write
          place={comment.id}
          label="Your comment"
          send="Save"
          before={comment}
          autoFocus
          onSend={async (said) => {
            await changeComment(graphId, threadId, comment.id, said);
            heardComments();
          }}
          onClose={() => setEditing(false)}
        />
      ) : (
        <Words text={comment.text} mentions={comment.mentions} />
      )}
    </li>
  );
}

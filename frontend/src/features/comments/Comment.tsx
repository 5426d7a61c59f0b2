import { ActionIcon, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconDots, IconLink, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/http/queries.ts';
import { notifications } from '@mantine/notifications';
import { changeComment, deleteComment } from '../../api/http/workspace/threads.ts';
import type { CardComment } from '../../api/types/types.ts';
import { copyText } from '../../ui/copyText.ts';
import { confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { heardComments } from './commenting.ts';
import classes from './comments.module.css';
import { threadPath } from './told/words.ts';
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
  const mine = me !== undefined && comment.by?.id === me;
  const whose = mine ? 'your' : `${comment.by?.name ?? 'Someone who left'}’s`;
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
        {editing ? null : (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                size="sm"
                aria-label={`More for ${whose} comment`}
                className={classes.more}
              >
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconLink size={15} />}
                onClick={() => void copyLink(graphId, threadId)}
              >
                Copy link
              </Menu.Item>
              {mine ? (
                <OwnItems onEdit={() => setEditing(true)} onDelete={() => void ask()} />
              ) : null}
            </Menu.Dropdown>
          </Menu>
        )}
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

function OwnItems({ onEdit, onDelete }: { onEdit: () => void; onDelete: () => void }) {
  return (
    <>
      <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
        Edit
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={onDelete}>
        Delete
      </Menu.Item>
    </>
  );
}

async function copyLink(graphId: string, threadId: string): Promise<void> {
  const link = window.location.origin + threadPath(graphId, threadId);
  try {
    await copyText(link);
    notifications.show({ message: 'The link to this thread is copied.' });
  } catch {
    notifications.show({ title: 'Copy it by hand', message: link, autoClose: false });
  }
}

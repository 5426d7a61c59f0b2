import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../api/http/client.ts';
import { commentsQuery } from '../../../api/http/lists.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { NamingText } from '../../comments/naming/Pieces.tsx';
import { MentionField } from '../../comments/naming/MentionField.tsx';
import { useMentions } from '../../comments/naming/useMentions.ts';
import { AlsoTold } from '../asking/AlsoTold.tsx';
import { visible } from '../../../run/values/visible.ts';
import classes from './item.module.css';
import { useComment } from './tools/useItemVerbs.ts';

interface ThreadProps {
  item: Interrupt;
  writing: boolean;
  onWriting: (writing: boolean) => void;
}

/** Questions about an item and their answers; deciding is left to the verbs. */
export function Thread({ item, writing, onWriting }: ThreadProps) {
  const { data: entries = [] } = useQuery({
    ...commentsQuery(item.request_id),
    enabled: item.comments > 0 || writing,
  });
  const open = item.status === 'open';
  if (entries.length === 0 && !(writing && open)) return null;
  return (
    <section className={classes.thread} aria-label="Questions and answers">
      <h3>Questions and answers</h3>
      <ul className={classes.entries}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <header>
              <b>{entry.by?.name ?? 'Someone who left'}</b>
              <RelativeTime at={entry.at} />
            </header>
            <NamingText text={visible(entry.text)} />
          </li>
        ))}
      </ul>
      {open && writing ? <Write item={item} onClose={() => onWriting(false)} /> : null}
      {open && !writing ? (
        <Button variant="default" size="xs" onClick={() => onWriting(true)}>
          Write
        </Button>
      ) : null}
    </section>
  );
}

function Write({ item, onClose }: { item: Interrupt; onClose: () => void }) {
  const words = useMentions();
  const text = words.text.trim();
  const comment = useComment(item, onClose);
  const send = () => {
    if (text !== '' && !comment.isPending) comment.mutate({ text, mentions: words.mentions });
  };
  return (
    <>
      <MentionField
        label="Ask, or answer"
        description="Everyone who can see this item reads it. Nothing is decided. Write @ to tell somebody of it."
        autoFocus
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        text={words.text}
        onText={words.setText}
        onPick={words.pick}
        onPress={(event) => {
          // Handled here, so that the page's own `Mod+Enter` does not decide the item.
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send();
          else return;
          event.preventDefault();
        }}
      />
      <AlsoTold named={words.named} />
      {comment.error ? (
        <Text size="sm" c="red" role="alert" mt={4}>
          {messageOf(comment.error)}
        </Text>
      ) : null}
      <Group gap="xs" mt="xs">
        <Button size="xs" loading={comment.isPending} disabled={text === ''} onClick={send}>
          Send
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
      </Group>
    </>
  );
}

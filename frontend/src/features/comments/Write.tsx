import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/http/client.ts';
import type { Said } from '../../api/http/workspace/threads.ts';
import classes from './comments.module.css';
import { MentionField } from './naming/MentionField.tsx';
import type { Named } from './naming/mentions.ts';
import { useMentions } from './naming/useMentions.ts';

const LONGEST = 4_000;
/** What was begun and not sent, by place: it is there again after a look elsewhere. */
const begun = new Map<string, string>();

interface WriteProps {
  /** What is written about: keeps what was begun apart. */
  place: string;
  label: string;
  send: string;
  before?: { text: string; mentions: readonly Named[] };
  autoFocus?: boolean;
  onSend: (said: Said) => Promise<unknown>;
  onClose?: () => void;
}

/** Where one writes: `@` offers people, Mod+Enter sends. */
export function Write({ place, label, send, before, autoFocus, onSend, onClose }: WriteProps) {
  const words = useMentions({
    text: begun.get(place) ?? before?.text ?? '',
    mentions: before?.mentions ?? [],
  });
  const { text, setText, mentions } = words;
  const leave = () => {
    begun.delete(place);
    setText('');
    onClose?.();
  };
  const sending = useMutation({
    mutationFn: () => onSend({ text: text.trim(), mentions }),
    onSuccess: leave,
  });
  const submit = () => {
    if (text.trim() && !sending.isPending) sending.mutate();
  };
  return (
    <div className={classes.write}>
      <MentionField
        size="xs"
        aria-label={label}
        placeholder={`${label}, @ for somebody`}
        minRows={2}
        maxRows={8}
        maxLength={LONGEST}
        {...(autoFocus ? { autoFocus } : {})}
        text={text}
        onText={(now) => {
          begun.set(place, now);
          setText(now);
        }}
        onPick={words.pick}
        onPress={(event) => {
          if (event.key === 'Escape' && onClose) leave();
          else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
          else return;
          event.preventDefault();
        }}
      />
      {sending.error ? (
        <Text size="xs" c="red" role="alert">
          {messageOf(sending.error)}
        </Text>
      ) : null}
      <Group gap={6}>
        <Button
          size="compact-xs"
          loading={sending.isPending}
          disabled={text.trim() === ''}
          onClick={submit}
        >
          {send}
        </Button>
        {onClose ? (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={leave}>
            Cancel
          </Button>
        ) : null}
      </Group>
    </div>
  );
}

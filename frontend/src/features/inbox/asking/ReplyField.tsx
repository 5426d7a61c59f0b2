import { Button, Stack, Text } from '@mantine/core';
import { messageOf } from '../../../api/http/client.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { MentionField } from '../../comments/naming/MentionField.tsx';
import { useMentions } from '../../comments/naming/useMentions.ts';
import { AlsoTold } from './AlsoTold.tsx';
import { useAsking } from './useAsking.ts';

interface ReplyFieldProps {
  item: Interrupt;
  /** Who asked. */
  by: string;
}

/** The answer of who was asked; it decides nothing. */
export function ReplyField({ item, by }: ReplyFieldProps) {
  const words = useMentions();
  const reply = words.text.trim();
  const asking = useAsking(item);
  const send = () => {
    if (reply !== '' && !asking.isPending)
      asking.mutate({ verb: 'answer-back', body: { reply, mentions: words.mentions } });
  };
  return (
    <Stack gap="xs">
      <MentionField
        label={`Your answer to ${by}`}
        description="Everyone who can see this item reads it. Nothing is decided. Write @ to tell somebody of it."
        minRows={2}
        maxRows={10}
        maxLength={4000}
        text={words.text}
        onText={words.setText}
        onPick={words.pick}
        onPress={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          // Handled here, so that the page's own `Mod+Enter` does not decide the item.
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          event.stopPropagation();
          send();
        }}
      />
      <AlsoTold named={words.named} />
      {asking.error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(asking.error)}
        </Text>
      ) : null}
      <Button
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        loading={asking.isPending}
        disabled={reply === ''}
        onClick={send}
      >
        Send the answer
      </Button>
    </Stack>
  );
}

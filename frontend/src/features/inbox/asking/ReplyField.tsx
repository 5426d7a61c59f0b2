import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { useAsking } from './useAsking.ts';

interface ReplyFieldProps {
  item: Interrupt;
  /** Who asked. */
  by: string;
}

/** The answer of who was asked; it decides nothing. */
export function ReplyField({ item, by }: ReplyFieldProps) {
  const [reply, setReply] = useState('');
  const asking = useAsking(item);
  const send = () => {
    if (reply.trim() !== '' && !asking.isPending)
      asking.mutate({ verb: 'answer-back', body: { reply: reply.trim() } });
  };
  return (
    <Stack gap="xs">
      <Textarea
        label={`Your answer to ${by}`}
        description="Everyone who can see this item reads it. Nothing is decided."
        autosize
        minRows={2}
        maxRows={10}
        maxLength={4000}
        value={reply}
        onChange={(event) => setReply(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          // Handled here, so that the page's own `Mod+Enter` does not decide the item.
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          event.stopPropagation();
          send();
        }}
      />
      {asking.error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(asking.error)}
        </Text>
      ) : null}
      <Button
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        loading={asking.isPending}
        disabled={reply.trim() === ''}
        onClick={send}
      >
        Send the answer
      </Button>
    </Stack>
  );
}

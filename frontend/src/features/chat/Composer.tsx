import { ActionIcon, Textarea, Tooltip } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import classes from './chat.module.css';

interface ComposerProps {
  busy: boolean;
  waiting: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  onSay: (text: string) => void;
  onStop: () => void;
}

/** Where one writes; while an answer is under way it offers to stop that instead. */
export function Composer({ busy, waiting, field, onSay, onStop }: ComposerProps) {
  const [text, setText] = useState('');
  const ready = !busy && text.trim() !== '';
  const send = () => {
    if (!ready) return;
    onSay(text);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={classes.composer}>
      <Textarea
        ref={field}
        className={classes.field}
        aria-label="Message"
        placeholder={waiting ? 'Answer above, or stop the run' : 'Write a message'}
        minRows={1}
        maxRows={8}
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {busy ? (
        <Tooltip label="Stop the run">
          <ActionIcon size={36} variant="default" aria-label="Stop the run" onClick={onStop}>
            <IconPlayerStopFilled size={16} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Tooltip label={<Kbd keys="Enter" />}>
          <ActionIcon
            size={36}
            variant="filled"
            color="accent"
            aria-label="Send"
            disabled={!ready}
            onClick={send}
          >
            <IconArrowUp size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}

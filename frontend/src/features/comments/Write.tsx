import { Button, Group, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { messageOf } from '../../api/http/client.ts';
import type { Said } from '../../api/http/workspace/threads.ts';
import classes from './comments.module.css';
import { type Named, stillNamed } from './mentions.ts';
import { useNames } from './useNames.ts';

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
  const [text, setText] = useState(begun.get(place) ?? before?.text ?? '');
  const [picked, setPicked] = useState<readonly Named[]>(before?.mentions ?? []);
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const change = (now: string) => {
    begun.set(place, now);
    setText(now);
  };
  const names = useNames({
    text,
    area,
    onText: change,
    onPick: (person) => setPicked((all) => [...all.filter(({ id }) => id !== person.id), person]),
  });
  const leave = () => {
    begun.delete(place);
    setText('');
    onClose?.();
  };
  const sending = useMutation({
    mutationFn: () =>
      onSend({ text: text.trim(), mentions: stillNamed(text, picked).map(({ id }) => id) }),
    onSuccess: leave,
  });
  const submit = () => {
    if (text.trim() && !sending.isPending) sending.mutate();
  };
  const open = names.offered.length > 0;
  return (
    <div className={classes.write}>
      <Textarea
        ref={area}
        size="xs"
        aria-label={label}
        placeholder={`${label}, @ for somebody`}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={LONGEST}
        {...(autoFocus ? { autoFocus } : {})}
        value={text}
        role="combobox"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open ? `${list}-${names.at}` : undefined}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          change(value);
          names.look(value, selectionStart);
        }}
        onBlur={names.close}
        onKeyDown={(event) => {
          if (names.press(event)) return event.preventDefault();
          if (event.key === 'Escape' && onClose) leave();
          else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
          else return;
          event.preventDefault();
        }}
      />
      <ul id={list} role="listbox" aria-label="People" className={classes.people} hidden={!open}>
        {names.offered.map((person, index) => (
          <li
            key={person.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === names.at}
            onMouseDown={(event) => {
              event.preventDefault();
              names.pick(person);
            }}
          >
            {person.name}
          </li>
        ))}
      </ul>
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

import { Textarea, type TextareaProps } from '@mantine/core';
import { type KeyboardEvent, useId, useRef } from 'react';
import classes from '../comments.module.css';
import { type Named } from './mentions.ts';
import { useNames } from './useNames.ts';

interface MentionFieldProps extends Omit<TextareaProps, 'value' | 'onChange' | 'onKeyDown'> {
  text: string;
  onText: (text: string) => void;
  /** Somebody was chosen from the list. */
  onPick: (person: Named) => void;
  /** A stroke that was not for the list. */
  onPress: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** A field in which `@` offers the people of the workspace. */
export function MentionField({ text, onText, onPick, onPress, ...field }: MentionFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const names = useNames({ text, area, onText, onPick });
  const open = names.offered.length > 0;
  return (
    <>
      <Textarea
        autosize
        {...field}
        ref={area}
        value={text}
        role="combobox"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open ? `${list}-${names.at}` : undefined}
        // Escape closes the list, not the dialog around it.
        data-mantine-stop-propagation={open}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          onText(value);
          names.look(value, selectionStart);
        }}
        onBlur={names.close}
        onKeyDown={(event) => {
          if (!names.press(event)) return onPress(event);
          event.preventDefault();
          event.stopPropagation();
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
    </>
  );
}

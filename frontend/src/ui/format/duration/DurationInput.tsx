import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Bounds, longDuration, readWithin, shortDuration } from './durations.ts';

interface DurationInputProps extends Bounds {
  label?: ReactNode;
  'aria-label'?: string;
  /** Said below the field while nothing is typed. */
  description?: ReactNode;
  /** Milliseconds; null where none are set. */
  value: number | null;
  /** Gets null for an emptied field. */
  onChange: (ms: number | null) => void;
  /** What holds while nothing is set. */
  placeholder?: string;
  /** It cannot be emptied. */
  required?: boolean;
  withAsterisk?: boolean;
  disabled?: boolean;
  size?: 'xs' | 'sm';
  /** A problem that somebody else found with the stored value. */
  error?: ReactNode;
}

interface Typed {
  text: string;
  /** The value that it is typed over: another one puts an end to it. */
  over: number | null;
  done: boolean;
}

/**
 * A duration in words, such as `2 d 4 h`. As one types it says what that means to the millisecond; Enter or leaving
 * the field takes it. What is no duration changes nothing, and stays to be mended.
 */
export function DurationInput({
  value,
  onChange,
  min,
  max,
  step,
  required = false,
  error,
  description,
  ...input
}: DurationInputProps) {
  const [kept, setTyped] = useState<Typed | null>(null);
  const typed = kept?.over === value ? kept : null;
  const shown = value === null ? '' : shortDuration(value);
  const text = typed?.text ?? shown;
  const empty = text.trim() === '';
  const meant = empty && !required ? null : readWithin(text, { min, max, step });
  const wrong = meant && 'wrong' in meant ? meant.wrong : null;
  const field = useRef<HTMLInputElement>(null);
  // A form is not sent, and leads here, while what stands in the field is not what it would send.
  useEffect(() => field.current?.setCustomValidity(typed && wrong !== null ? wrong : ''));
  const stays = value === null ? 'Nothing is set.' : `It stays ${longDuration(value)}.`;
  const take = () => {
    if (!typed) return;
    if (wrong !== null) return setTyped({ ...typed, done: true });
    const next = meant && 'ms' in meant ? meant.ms : null;
    setTyped(null);
    if (next !== value) onChange(next);
  };
  const saying =
    typed && text !== shown
      ? (wrong ?? (meant && 'ms' in meant ? `= ${longDuration(meant.ms)}` : null))
      : null;
  return (
    <TextInput
      {...input}
      ref={field}
      value={text}
      autoComplete="off"
      spellCheck={false}
      description={saying && !typed?.done ? <span aria-live="polite">{saying}</span> : description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={typed?.done && wrong !== null ? `${wrong} ${stays}` : error}
      onChange={(event) =>
        setTyped({ text: event.currentTarget.value.slice(0, 100), over: value, done: false })
      }
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
        if (event.key !== 'Escape' || !typed) return;
        event.stopPropagation();
        setTyped(null);
      }}
    />
  );
}

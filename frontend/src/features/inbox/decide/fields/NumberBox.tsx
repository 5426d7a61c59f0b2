import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readAs, readNumber, signOf } from '../../../../run/values/typedNumber.ts';

interface NumberBoxProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (text: string) => void;
  unit?: string | undefined;
  isWhole?: boolean;
  /** Where there is no room below the box, nothing is told of a number that can be read. */
  isTight?: boolean;
}

/** A number as it is typed: what it is read as stands below, or why it cannot be read. */
export function NumberBox({
  value,
  onChange,
  unit,
  isWhole = false,
  isTight = false,
  error,
  description,
  ...props
}: NumberBoxProps) {
  // What is half written is no mistake yet.
  const [isWriting, setIsWriting] = useState(false);
  const read = value.trim() === '' ? null : readNumber(value, { unit, isWhole });
  const problem = read && 'problem' in read && !isWriting ? read.problem : undefined;
  const told = read && 'text' in read && !isTight ? readAs(read.text, unit) : '';
  return (
    <>
      <TextInput
        {...props}
        inputMode={isWhole ? 'numeric' : 'decimal'}
        autoComplete="off"
        leftSection={signOf(unit) || undefined}
        leftSectionWidth={signOf(unit).length > 1 ? 44 : undefined}
        description={description}
        error={error ?? problem}
        value={value}
        onChange={(event) => {
          setIsWriting(true);
          onChange(event.currentTarget.value);
        }}
        onBlur={(event) => {
          setIsWriting(false);
          props.onBlur?.(event);
        }}
      />
      {told !== '' && told !== value.trim() ? (
        <Text size="xs" c="dimmed" mt={4} className="gw-num" aria-live="polite">
          Read as {told}
        </Text>
      ) : null}
    </>
  );
}

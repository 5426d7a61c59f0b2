import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

/** The number that a typed text is; undefined where it is none yet, as `-` or nothing. */
export function numberIn(typed: string | number): number | undefined {
  const number = typeof typed === 'number' ? typed : Number(typed === '' ? Number.NaN : typed);
  return Number.isFinite(number) ? number : undefined;
}

interface DecimalBoxProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> {
  value: number | undefined;
  onChange: (next: number | undefined) => void;
}

/** A box for a number that stands as it is typed, `0.` and `1.50` too; a comma is a point. */
export function DecimalBox({ value, onChange, ...props }: DecimalBoxProps) {
  const [typed, setTyped] = useState<string | number>('');
  return (
    <NumberInput
      {...props}
      allowedDecimalSeparators={['.', ',']}
      value={numberIn(typed) === value ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next);
        onChange(numberIn(next));
      }}
    />
  );
}

import { TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { typedNames } from '../../graph/fields/fields.ts';

interface NewFieldProps {
  label: string;
  taken: ReadonlySet<string>;
  onAdd: (names: string[]) => void;
}

/** The row in which fields get their names: Enter, comma, Tab and leaving it add them, several at once where commas stand between. */
export function NewField({ label, taken, onAdd }: NewFieldProps) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const take = (typed: string) => {
    const names = [...new Set(typedNames(typed))];
    const fresh = names.filter((name) => !taken.has(name));
    const double = names.find((name) => taken.has(name));
    setWrong(double ? `There is a field “${double}” already.` : '');
    setText(double && fresh.length === 0 ? typed : '');
    if (fresh.length > 0) onAdd(fresh);
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      data-field-new
      leftSection={<IconPlus size={13} aria-hidden />}
      value={text}
      error={wrong}
      onChange={(event) => {
        setWrong('');
        const typed = event.currentTarget.value;
        if (/[,;\n]\s*$/.test(typed)) take(typed);
        else setText(typed);
      }}
      onBlur={() => text.trim() && take(text)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !text.trim()) return;
        event.preventDefault();
        take(text);
      }}
    />
  );
}

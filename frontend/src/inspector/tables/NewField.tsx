import { TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { kindWords } from '../../graph/fields/kinds.ts';
import { type TypedField, typedFields, unknownKind } from '../../graph/fields/typed.ts';

const TYPES = `Types are ${Object.values(kindWords).join(', ').toLowerCase()}`;

/** Shown where one is about to type. */
const SEVERAL = 'cv: long text, level: senior | mid';

interface NewFieldProps {
  label: string;
  taken: ReadonlySet<string>;
  onAdd: (fields: TypedField[]) => void;
}

/** The row in which fields get their names: Enter, comma, Tab and leaving it add them, several at once where commas stand between, with a kind or values after a colon. */
export function NewField({ label, taken, onAdd }: NewFieldProps) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const [isHere, setIsHere] = useState(false);
  const take = (typed: string) => {
    const unknown = unknownKind(typed);
    if (unknown) {
      setText(typed.replace(/[,;\s]+$/, ''));
      setWrong(`“${unknown}” is no type. ${TYPES}, or values to choose from: a | b.`);
      return;
    }
    const fields = typedFields(typed);
    const fresh = fields.filter(({ name }) => !taken.has(name));
    const double = fields.find(({ name }) => taken.has(name));
    setWrong(double ? `There is a field “${double.name}” already.` : '');
    setText(double && fresh.length === 0 ? typed : '');
    if (fresh.length > 0) onAdd(fresh);
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={isHere ? SEVERAL : label}
      data-field-new
      leftSection={<IconPlus size={13} aria-hidden />}
      title={`Several at once, with a type or values: ${SEVERAL}`}
      value={text}
      error={wrong}
      onChange={(event) => {
        setWrong('');
        const typed = event.currentTarget.value;
        if (/[,;\n]\s*$/.test(typed)) take(typed);
        else setText(typed);
      }}
      onFocus={() => setIsHere(true)}
      onBlur={() => {
        setIsHere(false);
        if (text.trim()) take(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !text.trim()) return;
        event.preventDefault();
        take(text);
      }}
    />
  );
}

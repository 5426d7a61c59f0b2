import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import type { Askable } from '../../graph/conditions/askable.ts';
import { type Row, type Value, valueWord } from '../../graph/conditions/condition.ts';
import { DecimalBox } from '../fields/numbers/DecimalBox.tsx';
import { useForm } from '../form/context.ts';

interface ValueProps {
  row: Row;
  about: Askable | undefined;
  label: string;
  onChange: (row: Row) => void;
}

/** A value that nobody has described: a number where it reads as one, as the other side of a comparison would be. */
const typed = (text: string): Value =>
  /^-?\d{1,15}(\.\d{1,6})?$/.test(text) && String(Number(text)) === text ? Number(text) : text;

/** What a field is compared with: one of its values where they are listed, else by its type. */
export function RowValue({ row, about, label, onChange }: ValueProps) {
  const { readOnly } = useForm();
  const common = {
    size: 'xs',
    'aria-label': label,
    placeholder: 'Value',
    disabled: readOnly,
  } as const;
  const set = (values: readonly Value[]) => onChange({ ...row, values });
  const [value] = row.values;
  const listed = about?.values ?? [];
  const choices = [...new Set([...listed, ...row.values])].map((each) => ({
    value: String(each),
    label: valueWord(each),
  }));
  const meant = (text: string): Value => listed.find((each) => String(each) === text) ?? text;
  if (row.op === 'oneOf' && listed.length > 0)
    return (
      <MultiSelect
        {...common}
        data={choices}
        value={row.values.map(String)}
        onChange={(all) => set(all.map(meant))}
      />
    );
  if (row.op === 'oneOf')
    return (
      <TagsInput
        {...common}
        acceptValueOnBlur
        splitChars={[',']}
        value={row.values.map(String)}
        onChange={(all) => set(all)}
      />
    );
  if (listed.length > 0 || typeof value === 'boolean')
    return (
      <Select
        {...common}
        allowDeselect={false}
        data={choices}
        value={value === undefined ? null : String(value)}
        onChange={(text) => set(text === null ? [] : [meant(text)])}
      />
    );
  if (about?.kind === 'number' || about?.kind === 'money')
    return (
      <DecimalBox
        {...common}
        value={typeof value === 'number' ? value : undefined}
        onChange={(next) => set(next === undefined ? [] : [next])}
      />
    );
  const free = about?.kind ?? null;
  return (
    <TextInput
      {...common}
      type={free === 'date' ? 'date' : 'text'}
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget: { value: text } }) =>
        set(text === '' ? [] : [free === null && row.op !== 'contains' ? typed(text) : text])
      }
    />
  );
}

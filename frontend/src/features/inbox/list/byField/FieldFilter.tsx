import { ActionIcon, Select, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readNumber } from '../../../../run/values/typedNumber.ts';
import { NumberBox } from '../../decide/fields/NumberBox.tsx';
import type { HeadProps } from '../InboxHead.tsx';
import classes from './byField.module.css';
import {
  choicesOf,
  conditionsOf,
  fieldName,
  type How,
  howsOf,
  LONGEST_VALUE,
  MOST,
  withCondition,
} from './conditions.ts';
import { type OfferedField, offeredFieldsQuery } from './query.ts';

const common = { size: 'xs' } as const;

/** A field of what items show, how, and which value: `Amount`, `more than`, `100`. */
export function FieldFilter({ filter, change }: HeadProps) {
  const { data: fields = [] } = useQuery(offeredFieldsQuery);
  const [name, setName] = useState<string | null>(null);
  const [how, setHow] = useState<How | null>(null);
  const [value, setValue] = useState('');
  const field = fields.find((each) => each.name === name);
  const hows = howsOf(field);
  const chosen = hows.find((each) => each.value === how)?.value ?? hows[0]?.value;
  if (fields.length === 0) return null;
  const add = (text: string) => {
    if (!field || !chosen || text.trim() === '') return;
    change({ where: withCondition(filter.where, { name: field.name, how: chosen, value: text }) });
    setValue('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read =
      field?.kind === 'number' ? readNumber(value, { unit: field.unit || undefined }) : null;
    if (read === null) add(value);
    else if ('text' in read) add(read.text);
    else if (event.currentTarget instanceof HTMLFormElement)
      event.currentTarget.querySelector<HTMLElement>('[inputmode="decimal"]')?.blur();
  };
  const isFull = conditionsOf(filter.where).length >= MOST;
  return (
    <form className={classes.row} aria-label="By a field" onSubmit={submit}>
      <Select
        {...common}
        searchable
        clearable
        aria-label="Field"
        placeholder="Any field of what is shown"
        data={fields.map((each) => ({ value: each.name, label: fieldName(each.name, each) }))}
        value={name}
        onChange={(next) => {
          setName(next);
          setHow(null);
          setValue('');
        }}
      />
      {field ? (
        <>
          <Select
            {...common}
            aria-label="How"
            allowDeselect={false}
            data={hows}
            value={chosen ?? null}
            onChange={(next) => setHow(next as How | null)}
          />
          <Value field={field} value={value} setValue={setValue} add={add} />
          <ActionIcon
            type="submit"
            variant="default"
            size={30}
            aria-label="Add this condition"
            disabled={value.trim() === '' || isFull}
          >
            <IconPlus size={15} />
          </ActionIcon>
        </>
      ) : null}
    </form>
  );
}

interface ValueProps {
  field: OfferedField;
  value: string;
  setValue: (text: string) => void;
  add: (text: string) => void;
}

/** The value, as its field takes one; a choice counts at once. */
function Value({ field, value, setValue, add }: ValueProps) {
  const choices = choicesOf(field);
  if (choices.length > 0)
    return (
      <Select
        {...common}
        aria-label="Value"
        placeholder="Choose"
        data={choices}
        value={null}
        onChange={(chosen) => add(chosen ?? '')}
      />
    );
  if (field.kind === 'number')
    return (
      <NumberBox
        {...common}
        isTight
        unit={field.unit || undefined}
        aria-label={field.unit ? `Value in ${field.unit}` : 'Value'}
        placeholder={field.unit || 'Number'}
        maxLength={LONGEST_VALUE}
        value={value}
        onChange={setValue}
      />
    );
  return (
    <TextInput
      {...common}
      aria-label="Value"
      maxLength={LONGEST_VALUE}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  );
}

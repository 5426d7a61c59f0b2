import { TextInput } from '@mantine/core';
import type { Field } from '../../../graph/fields/fields.ts';
import classes from '../triggers.module.css';

interface StartValuesProps {
  fields: readonly Field[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

/** What each run of a schedule begins with: a fixed value for each field of the start. */
export function StartValues({ fields, values, onChange }: StartValuesProps) {
  if (fields.length === 0) return null;
  return (
    <fieldset className={classes.fields}>
      <legend>What each run starts with</legend>
      {fields.map(({ name, schema, required }) => (
        <TextInput
          key={name}
          label={schema.title ?? name}
          required={required}
          placeholder={schema.enum ? schema.enum.map(String).join(' or ') : 'The same each time'}
          value={values[name] ?? ''}
          onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
    </fieldset>
  );
}

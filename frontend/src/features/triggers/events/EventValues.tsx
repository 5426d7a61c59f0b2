import { Text, TextInput } from '@mantine/core';
import type { Field } from '../../../graph/fields/fields.ts';
import classes from '../triggers.module.css';

interface EventValuesProps {
  fields: readonly Field[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

/** What each run begins with: for each field of the start an expression over what happened. */
export function EventValues({ fields, values, onChange }: EventValuesProps) {
  if (fields.length === 0) return null;
  return (
    <fieldset className={classes.fields}>
      <legend>What each run starts with</legend>
      <Text size="sm" c="dimmed">
        Pick from what happened: body.run.result, body.run.id, body.workflow.name, body.item.id. A
        fixed value stands in quotes.
      </Text>
      {fields.map(({ name, schema, required }) => (
        <TextInput
          key={name}
          label={schema.title ?? name}
          required={required}
          placeholder={`body.run.result.${name}`}
          classNames={{ input: 'gw-mono' }}
          value={values[name] ?? ''}
          onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
    </fieldset>
  );
}

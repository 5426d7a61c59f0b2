import {
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Json, JsonObject } from '../../../api/types/types.ts';
import { brief, sameJson } from '../../../run/values/json.ts';
import { type FieldValue, type FieldValues, type FormField, fromInput } from './schemaFields.ts';
import classes from '../inbox.module.css';

interface TypedFormProps {
  fields: readonly FormField[];
  values: FieldValues;
  problems: Record<string, string>;
  onChange: (values: FieldValues) => void;
  /** What stood there before; changed fields then show it. */
  before?: JsonObject;
}

/** One typed input a field, drawn from a JSON Schema. */
export function TypedForm({ fields, values, problems, onChange, before }: TypedFormProps) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <div key={field.name}>
          <FieldInput
            field={field}
            value={values[field.name]}
            problem={problems[field.name]}
            onChange={(value) => onChange({ ...values, [field.name]: value })}
          />
          {before ? (
            <Before field={field} input={values[field.name]} before={before[field.name]} />
          ) : null}
        </div>
      ))}
    </Stack>
  );
}

function Before({
  field,
  input,
  before,
}: {
  field: FormField;
  input: FieldValue | undefined;
  before: Json | undefined;
}) {
  const parsed = fromInput(field, input);
  if ('value' in parsed && sameJson(parsed.value, before)) return null;
  return (
    <Text size="xs" className={classes.before}>
      <b>Was</b> <del>{brief(before, 400) || 'empty'}</del>
    </Text>
  );
}

interface FieldInputProps {
  field: FormField;
  value: FieldValue | undefined;
  problem: string | undefined;
  onChange: (value: FieldValue) => void;
}

function FieldInput({ field, value, problem, onChange }: FieldInputProps) {
  const common = {
    label: field.label,
    description: field.help || undefined,
    error: problem,
    withAsterisk: field.required,
  };
  const text = typeof value === 'string' ? value : '';
  const list = Array.isArray(value) ? value : [];
  switch (field.kind) {
    case 'boolean':
      return (
        <Checkbox
          label={field.label}
          description={common.description}
          error={problem}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
    case 'integer':
      return (
        <NumberInput
          {...common}
          value={text}
          min={field.minimum}
          max={field.maximum}
          allowDecimal={field.kind === 'number'}
          clampBehavior="none"
          onChange={(next) => onChange(String(next))}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={field.options}
          value={text || null}
          onChange={(next) => onChange(next ?? '')}
          clearable={!field.required}
        />
      );
    case 'choices':
      return <MultiSelect {...common} data={field.options} value={list} onChange={onChange} />;
    case 'texts':
      return <TagsInput {...common} value={list} onChange={onChange} />;
    case 'longtext':
      return (
        <Textarea
          {...common}
          value={text}
          minRows={3}
          maxRows={14}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'json':
      return (
        <Textarea
          {...common}
          value={text}
          minRows={3}
          maxRows={14}
          classNames={{ input: 'gw-mono' }}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return field.kind satisfies never;
  }
}

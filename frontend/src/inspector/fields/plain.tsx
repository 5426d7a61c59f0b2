import {
  Checkbox,
  SegmentedControl,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Json } from '../../api/types/types.ts';
import { typeOf } from '../../graph/schema/schema.ts';
import { useForm } from '../form/context.ts';
import { type FieldProps, humanise } from '../form/field.ts';
import { DecimalBox } from './numbers/DecimalBox.tsx';
import { FieldLabel, Frame, useFieldError, useInputProps } from './Frame.tsx';

const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '');
const listOf = (value: Json | undefined) => (Array.isArray(value) ? value.map(String) : []);

/** One line of text. */
export function TextField(field: FieldProps) {
  const { schema, value, onChange } = field;
  const placeholder =
    schema['x-placeholder'] ?? (typeof schema.default === 'string' ? schema.default : undefined);
  return (
    <TextInput
      {...useInputProps(field)}
      placeholder={placeholder}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** Several lines of text; the box begins with as many as the schema's `x-rows` says, and grows. */
export function LongTextField(field: FieldProps) {
  return (
    <Textarea
      {...useInputProps(field)}
      minRows={field.schema['x-rows'] ?? 2}
      maxRows={12}
      value={textOf(field.value)}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}

/** A number; empty means the default. */
export function NumberField(field: FieldProps) {
  const { schema, value, onChange } = field;
  const whole = typeOf(schema) === 'integer';
  return (
    <DecimalBox
      {...useInputProps(field)}
      value={typeof value === 'number' ? value : undefined}
      allowDecimal={!whole}
      min={schema.minimum}
      max={schema.maximum}
      clampBehavior="none"
      placeholder={typeof schema.default === 'number' ? String(schema.default) : 'None'}
      hideControls
      onChange={onChange}
    />
  );
}

/** Decimal text in USD. */
export function MoneyField(field: FieldProps) {
  const { value, onChange } = field;
  return (
    <TextInput
      {...useInputProps(field)}
      value={textOf(value)}
      leftSection="$"
      placeholder="No cap"
      inputMode="decimal"
      classNames={{ input: 'gw-num' }}
      onChange={(event) =>
        onChange(event.currentTarget.value.replace(',', '.').replace(/[^0-9.]/g, '') || null)
      }
    />
  );
}

/** Yes or no. */
export function BooleanField(field: FieldProps) {
  const { value, schema, onChange, label } = field;
  const { readOnly } = useForm();
  return (
    <Switch
      size="xs"
      label={<FieldLabel label={label} help={schema.description} />}
      error={useFieldError(field.path)}
      disabled={readOnly}
      checked={typeof value === 'boolean' ? value : schema.default === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

const SHORT = 30;

/**
 * One of a few values: side by side when the words are short and one of them has to hold, else a list. A
 * value that is none of them stands in the list, as what it is.
 */
export function EnumField(field: FieldProps) {
  const { schema, value, onChange } = field;
  const input = useInputProps(field);
  const options = [...new Set((schema.enum ?? []).filter((option) => option !== null).map(String))];
  const data = options.map((option) => ({ value: option, label: humanise(option) }));
  const current =
    value === undefined || value === null
      ? typeof schema.default === 'string'
        ? schema.default
        : null
      : String(value);
  const pick = (next: string | null) =>
    onChange((schema.enum ?? []).find((option) => String(option) === next));
  const isKnown = current === null || options.includes(current);
  // An empty word has nothing to click, and would look chosen where nothing is.
  const isFew = options.length > 0 && options.length <= 4 && !options.includes('');
  const isShort = isFew && options.join('').length <= SHORT;
  const mustHold = field.required || typeof schema.default === 'string';
  if (isShort && isKnown && mustHold) {
    return (
      <Frame field={field}>
        <SegmentedControl
          fullWidth
          size="xs"
          data={data}
          value={current ?? ''}
          onChange={pick}
          disabled={input.disabled}
          aria-label={field.label}
        />
      </Frame>
    );
  }
  return (
    <Select
      {...input}
      placeholder={options.length > 0 ? 'Not set' : 'No values to choose from yet'}
      data={isKnown ? data : [...data, { value: current, label: `${current} (none of them)` }]}
      value={current}
      onChange={pick}
      allowDeselect={!field.required}
      clearable={!field.required && schema.default === undefined}
    />
  );
}

/** Several of a few values. */
export function ManyOfField(field: FieldProps) {
  const chosen = listOf(field.value);
  const { readOnly } = useForm();
  return (
    <Frame field={field}>
      <Checkbox.Group value={chosen} onChange={field.onChange} aria-label={field.label}>
        {(field.schema.items?.enum ?? []).map((option) => (
          <Checkbox
            key={String(option)}
            size="xs"
            mt={6}
            value={String(option)}
            label={humanise(String(option))}
            disabled={readOnly}
          />
        ))}
      </Checkbox.Group>
    </Frame>
  );
}

/** A list of short texts; where the schema brings examples, they are offered. */
export function TagsField(field: FieldProps) {
  const { schema } = field;
  return (
    <TagsInput
      {...useInputProps(field)}
      value={listOf(field.value)}
      onChange={field.onChange}
      data={(schema.examples ?? []).map(String)}
      maxTags={schema.maxItems ?? Infinity}
      acceptValueOnBlur
      placeholder={listOf(field.value).length === 0 ? 'Type and press Enter' : ''}
    />
  );
}

/** A list of numbers. */
export function NumbersField(field: FieldProps) {
  const take = (texts: string[]) => field.onChange(texts.map(Number).filter(Number.isFinite));
  return <TagsInput {...useInputProps(field)} value={listOf(field.value)} onChange={take} />;
}

/** A list of sentences, one a line. */
export function LinesField(field: FieldProps) {
  const text = listOf(field.value).join('\n');
  return (
    <Textarea
      {...useInputProps(field)}
      placeholder="One a line"
      minRows={2}
      maxRows={10}
      value={text}
      onChange={(event) =>
        field.onChange(
          event.currentTarget.value === '' ? [] : event.currentTarget.value.split('\n'),
        )
      }
    />
  );
}

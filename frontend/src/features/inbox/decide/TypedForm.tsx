import {
  Checkbox,
  Input,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Json, JsonObject } from '../../../api/types/types.ts';
import { brief, isObject, sameJson } from '../../../run/values/json.ts';
import { isReordered, visible } from '../../../run/values/visible.ts';
import { textDiff } from '../../../graph/document/text/textDiff.ts';
import {
  type FieldValue,
  type FieldValues,
  type FormField,
  type Parsed,
  beforeText,
  fromInput,
} from './fields/schemaFields.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';
import { currencyOf } from './fields/fieldLook.ts';
import { boxType } from './fields/formats.ts';
import { NumberBox } from './fields/NumberBox.tsx';
import { apartText } from './fields/whole.ts';
import classes from '../inbox.module.css';

/** Characters up to which a changed text is shown as a whole. */
const LONG = 48;

interface TypedFormProps {
  fields: readonly FormField[];
  values: FieldValues;
  problems: Record<string, string>;
  onChange: (values: FieldValues) => void;
  /** What stood there before; changed fields then show it. */
  before?: JsonObject;
  /** Put the cursor into the first field; what is typed takes the place of a short value. */
  focusFirst?: boolean;
}

/** One typed input a field, drawn from a JSON Schema. */
export function TypedForm({
  fields,
  values,
  problems,
  onChange,
  before,
  focusFirst = false,
}: TypedFormProps) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!focusFirst) return;
    const first = form.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      'input, textarea',
    );
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  }, [focusFirst]);
  return (
    <Stack gap="sm" ref={form}>
      <Fields
        fields={fields}
        values={values}
        problems={problems}
        onChange={onChange}
        before={before}
        way=""
      />
    </Stack>
  );
}

interface FieldsProps extends Pick<TypedFormProps, 'fields' | 'values' | 'problems' | 'onChange'> {
  before: JsonObject | undefined;
  /** Where the fields are: empty, or the way to the object that has them. */
  way: string;
}

function Fields({ fields, values, problems, onChange, before, way }: FieldsProps) {
  return fields.map((field) => {
    const value = values[field.name];
    const change = (next: FieldValue) => onChange({ ...values, [field.name]: next });
    if (field.kind === 'group') {
      const held = before?.[field.name];
      return (
        <fieldset key={field.name} className={classes.group}>
          <legend>{field.label}</legend>
          {field.help ? <p>{field.help}</p> : null}
          <Fields
            fields={field.fields}
            values={typeof value === 'object' && !Array.isArray(value) ? value : {}}
            problems={problems}
            onChange={change}
            before={before && (isObject(held) ? held : {})}
            way={`${way}${field.name}.`}
          />
        </fieldset>
      );
    }
    if (field.kind === 'apart')
      return (
        <Input.Wrapper
          key={field.name}
          label={field.label}
          description={apartText(before?.[field.name])}
          error={problems[`${way}${field.name}`]}
        >
          <div>
            <ValueView value={before?.[field.name]} empty="" />
          </div>
        </Input.Wrapper>
      );
    return (
      <div key={field.name}>
        <FieldInput
          field={field}
          value={value}
          problem={problems[`${way}${field.name}`]}
          onChange={change}
        />
        {typeof value === 'string' && isReordered(value) ? (
          <Text size="xs" c="red" mt={4}>
            It holds characters that reorder what is read: <bdi>{brief(value, 400)}</bdi>
          </Text>
        ) : null}
        {before ? <Before field={field} input={value} before={before[field.name]} /> : null}
      </div>
    );
  });
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
      <b>Was</b> <Difference field={field} before={before} after={parsed} />
    </Text>
  );
}

interface DifferenceProps {
  field: FormField;
  before: Json | undefined;
  after: Parsed;
}

/** Long text word by word; of everything else what stood there, as the item shows it. */
function Difference({ field, before, after }: DifferenceProps) {
  const text = 'value' in after ? after.value : undefined;
  if (typeof before !== 'string' || typeof text !== 'string' || before.length <= LONG)
    return <del>{beforeText(field, before)}</del>;
  return textDiff(visible(before), visible(text)).map(({ kind, text: piece }, place) => {
    if (kind === 'same') return <span key={place}>{piece}</span>;
    return kind === 'removed' ? <del key={place}>{piece}</del> : <ins key={place}>{piece}</ins>;
  });
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
        <NumberBox
          {...common}
          value={text}
          unit={currencyOf(field.schema)}
          isWhole={field.kind === 'integer'}
          onChange={onChange}
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
    case 'apart':
    case 'group': // drawn by `Fields`, with what it holds
      return null;
    case 'text':
      return (
        <TextInput
          {...common}
          type={boxType(field.schema, text)}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return field.kind satisfies never;
  }
}

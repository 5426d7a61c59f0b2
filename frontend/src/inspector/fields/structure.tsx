import { ActionIcon, Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Json, JsonObject, JsonSchema } from '../../api/types/types.ts';
import { isRecord } from '../../graph/document/equal.ts';
import { blankOf, isNullable, resolve, typeOf, variantsOf } from '../../graph/schema/schema.ts';
import { useForm } from '../form/context.ts';
import { type FieldProps, humanise } from '../form/field.ts';
import classes from '../inspector.module.css';
import { SchemaField, SchemaForm } from '../form/SchemaForm.tsx';
import { FieldLabel, Frame, useInputProps } from './Frame.tsx';

const objectOf = (value: Json | undefined): JsonObject | undefined =>
  isRecord(value) ? (value as JsonObject) : undefined;

/** An object inside an object: its fields under a rule. */
export function ObjectField(field: FieldProps) {
  return (
    <fieldset className={classes.nested}>
      <legend>
        <FieldLabel label={field.label} help={field.schema.description} />
      </legend>
      <SchemaForm
        schema={field.schema}
        root={field.root}
        value={objectOf(field.value)}
        onChange={field.onChange}
        path={field.path}
      />
    </fieldset>
  );
}

/** An object that may be absent: a switch, and its fields while it is on. */
export function OptionalObjectField(field: FieldProps) {
  const { readOnly } = useForm();
  const on = objectOf(field.value) !== undefined;
  const turn = (next: boolean) =>
    field.onChange(
      next ? blankOf({ ...field.schema, default: undefined } as JsonSchema, field.root) : null,
    );
  return (
    <fieldset className={classes.nested}>
      <Switch
        size="xs"
        checked={on}
        disabled={readOnly}
        label={<FieldLabel label={field.label} help={field.schema.description} />}
        onChange={(event) => turn(event.currentTarget.checked)}
      />
      {on ? (
        <SchemaForm
          schema={field.schema}
          root={field.root}
          value={objectOf(field.value)}
          onChange={field.onChange}
          path={field.path}
        />
      ) : null}
    </fieldset>
  );
}

/** One of several kinds of object: the kind, then its fields. */
export function VariantField({ nullable, ...field }: FieldProps & { nullable: JsonSchema }) {
  const variants = variantsOf(field.schema, field.root);
  const value = objectOf(field.value);
  const { label, error, disabled } = useInputProps(field);
  if (!variants) return null;
  const { key, options } = variants;
  const current = options.find((option) => option.value === value?.[key]);
  const pick = (name: string | null) => {
    const option = options.find((entry) => entry.value === name);
    const kept = Object.fromEntries(
      Object.entries(value ?? {}).filter(([name]) => option?.schema.properties?.[name]),
    );
    field.onChange(
      option
        ? { ...(blankOf(option.schema, field.root) as JsonObject), ...kept, [key]: option.value }
        : null,
    );
  };
  return (
    <fieldset className={classes.nested}>
      <Select
        size="xs"
        label={label}
        error={error}
        disabled={disabled}
        aria-label={field.label}
        data={options.map((option) => ({ value: option.value, label: humanise(option.value) }))}
        value={current?.value ?? null}
        onChange={pick}
        clearable={isNullable(nullable)}
        allowDeselect={false}
        placeholder="None"
      />
      {current ? (
        <SchemaForm
          schema={current.schema}
          root={field.root}
          value={value}
          onChange={field.onChange}
          path={field.path}
          only={(name) => name !== key}
        />
      ) : null}
    </fieldset>
  );
}

/** A list of objects (or of anything else that is no plain text): one card an item. */
export function ListField(field: FieldProps) {
  const { readOnly } = useForm();
  const items = Array.isArray(field.value) ? field.value : [];
  const schema = resolve(field.schema.items ?? {}, field.root);
  const name = humanise(field.label).replace(/ies$/, 'y').replace(/s$/, '').toLowerCase();
  const set = (index: number, next: Json | undefined) =>
    field.onChange(items.map((item, place) => (place === index ? (next ?? null) : item)));
  return (
    <Frame field={field}>
      <Stack gap={8}>
        {items.map((item, index) => (
          <div key={index} className={classes.item}>
            <ActionIcon
              size="xs"
              className={classes.removeItem}
              aria-label={`Remove ${name} ${index + 1}`}
              disabled={readOnly}
              onClick={() => field.onChange(items.filter((_, place) => place !== index))}
            >
              <IconTrash size={13} />
            </ActionIcon>
            {typeOf(schema) === 'object' && schema.properties ? (
              <SchemaForm
                schema={schema}
                root={field.root}
                value={objectOf(item)}
                onChange={(next) => set(index, next)}
                path={`${field.path}.${index}`}
              />
            ) : (
              <SchemaField
                schema={schema}
                root={field.root}
                value={item}
                onChange={(next) => set(index, next)}
                label={`${humanise(name)} ${index + 1}`}
                path={`${field.path}.${index}`}
                required
              />
            )}
          </div>
        ))}
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={13} />}
          disabled={readOnly}
          onClick={() => field.onChange([...items, blankOf(schema, field.root)])}
        >
          Add {name}
        </Button>
      </Stack>
    </Frame>
  );
}

/** A map of names to values (arguments, headers, mappings). */
export function MapField(field: FieldProps) {
  const { readOnly } = useForm();
  const map = objectOf(field.value) ?? {};
  const [name, setName] = useState('');
  const values =
    typeof field.schema.additionalProperties === 'object' ? field.schema.additionalProperties : {};
  const solid = resolve(values, field.root);
  const schema: JsonSchema =
    typeOf(solid) || solid['x-widget'] ? solid : { type: 'string', 'x-widget': 'prompt' };
  const set = (key: string, next: Json | undefined) =>
    field.onChange({ ...map, [key]: next ?? '' });
  const add = () => {
    if (name.trim() && !(name.trim() in map)) set(name.trim(), blankOf(schema, field.root) ?? '');
    setName('');
  };
  return (
    <Frame field={field}>
      <Stack gap={8}>
        {Object.entries(map).map(([key, value]) => (
          <div key={key} className={classes.item}>
            <ActionIcon
              size="xs"
              className={classes.removeItem}
              aria-label={`Remove ${key}`}
              disabled={readOnly}
              onClick={() =>
                field.onChange(
                  Object.fromEntries(Object.entries(map).filter(([other]) => other !== key)),
                )
              }
            >
              <IconTrash size={13} />
            </ActionIcon>
            {typeof value === 'object' && value !== null ? (
              <SchemaField
                schema={{ 'x-widget': 'json' }}
                root={field.root}
                value={value}
                onChange={(next) => set(key, next)}
                label={key}
                path={`${field.path}.${key}`}
                required={false}
              />
            ) : (
              <SchemaField
                schema={schema}
                root={field.root}
                value={typeof value === 'string' ? value : String(value)}
                onChange={(next) => set(key, next)}
                label={key}
                path={`${field.path}.${key}`}
                required={false}
              />
            )}
          </div>
        ))}
        <div className={classes.addRow}>
          <TextInput
            size="xs"
            flex={1}
            placeholder="Name"
            aria-label={`New name in ${field.label}`}
            value={name}
            disabled={readOnly}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && add()}
          />
          <Button size="xs" variant="default" disabled={readOnly || !name.trim()} onClick={add}>
            Add
          </Button>
        </div>
      </Stack>
    </Frame>
  );
}

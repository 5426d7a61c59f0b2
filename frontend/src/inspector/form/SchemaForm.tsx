import { Skeleton, Stack } from '@mantine/core';
import { Fragment, Suspense } from 'react';
import type { Json, JsonObject, JsonSchema } from '../../api/types/types.ts';
import { equal, isRecord } from '../../graph/document/equal.ts';
import { groups as sections } from '../../graph/schema/nodeSchema.ts';
import { hasEffect, resolve, typeOf, variantsOf, withoutIdle } from '../../graph/schema/schema.ts';
import { BesideContext } from './beside.ts';
import { type FieldProps, labelFor } from './field.ts';
import classes from '../inspector.module.css';
import { CodeField, JsonField, TextOrJsonField } from '../fields/code/CodeField.tsx';
import { TextOrExpression } from '../fields/code/text/TextOrExpression.tsx';
import { DurationField } from '../fields/DurationField.tsx';
import { KeysField } from '../fields/KeysField.tsx';
import { isPick, PickField, PickManyField } from '../fields/PickField.tsx';
import {
  BooleanField,
  EnumField,
  LinesField,
  LongTextField,
  ManyOfField,
  MoneyField,
  NumberField,
  NumbersField,
  TagsField,
  TextField,
} from '../fields/plain.tsx';
import {
  ListField,
  MapField,
  ObjectField,
  OptionalObjectField,
  VariantField,
} from '../fields/structure.tsx';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const PolicyField = lazyOnDemand(() => import('../fields/policy/PolicyField.tsx'));
const EditorsField = lazyOnDemand(() => import('../fields/policy/editors/EditorsField.tsx'));
const AsksField = lazyOnDemand(() => import('../fields/asks/AsksField.tsx'));
const PointsField = lazyOnDemand(() => import('../fields/points/PointsField.tsx'));

/** The field of a widget that the schema asks for; null where the type decides. */
function widgetField(widget: string, field: FieldProps) {
  switch (widget) {
    case 'prompt':
      return <CodeField {...field} language="template" />;
    case 'expression':
      if (field.schema['x-template-in'])
        return <TextOrExpression {...field} text={field.schema['x-template-in']} />;
      return field.schema['x-points'] ? (
        <Suspense fallback={<Skeleton h={48} />}>
          <PointsField {...field} />
        </Suspense>
      ) : (
        <CodeField {...field} language="expression" />
      );
    case 'template':
      return typeOf(field.schema) === undefined ? <TextOrJsonField {...field} /> : null;
    case 'jsonpath':
      return <CodeField {...field} language="jsonpath" />;
    case 'duration':
      return <DurationField {...field} />;
    case 'money':
      return <MoneyField {...field} />;
    case 'keys':
      return <KeysField {...field} />;
    case 'json':
      return <JsonField {...field} />;
    case 'text':
      return <LongTextField {...field} />;
    case 'lines':
      return <LinesField {...field} />;
    case 'policy':
      return (
        <Suspense fallback={<Skeleton h={80} />}>
          <PolicyField {...field} />
        </Suspense>
      );
    case 'editors':
      return (
        <Suspense fallback={<Skeleton h={48} />}>
          <EditorsField {...field} />
        </Suspense>
      );
    case 'asks':
      return (
        <Suspense fallback={<Skeleton h={48} />}>
          <AsksField {...field} />
        </Suspense>
      );
    default:
      if (!isPick(widget)) return null;
      return typeOf(field.schema) === 'array' ? (
        <PickManyField {...field} widget={widget} />
      ) : (
        <PickField {...field} widget={widget} />
      );
  }
}

function arrayField(field: FieldProps) {
  const items = resolve(field.schema.items ?? {}, field.root);
  if (items.enum) return <ManyOfField {...field} />;
  const kind = typeOf(items);
  if (kind === 'string' && !items['x-widget']) return <TagsField {...field} />;
  if (kind === 'integer' || kind === 'number') return <NumbersField {...field} />;
  return <ListField {...field} />;
}

/** One field, chosen by widget, else by JSON type. What the walker does not know is edited as JSON. */
export function SchemaField({ schema: raw, ...rest }: FieldProps) {
  const schema = resolve(raw, rest.root);
  const field: FieldProps = { ...rest, schema };
  const widget = schema['x-widget'];
  const special = widget ? widgetField(widget, field) : null;
  if (special) return special;
  if (schema.const !== undefined) return null;
  if (variantsOf(schema, rest.root)) return <VariantField {...field} nullable={raw} />;
  if (schema.enum) return <EnumField {...field} />;
  switch (typeOf(schema)) {
    case 'string':
      return <TextField {...field} />;
    case 'integer':
    case 'number':
      return <NumberField {...field} />;
    case 'boolean':
      return <BooleanField {...field} />;
    case 'array':
      return arrayField(field);
    case 'object':
      if (!schema.properties)
        return schema.additionalProperties === false ? null : <MapField {...field} />;
      return raw.anyOf ? <OptionalObjectField {...field} /> : <ObjectField {...field} />;
    default:
      return <JsonField {...field} />;
  }
}

interface SchemaFormProps {
  schema: JsonSchema;
  root?: JsonSchema;
  value: JsonObject | undefined;
  onChange: (value: JsonObject) => void;
  /** Path of the object inside the node (`config`). */
  path?: string;
  /** Only properties that this accepts. */
  only?: (name: string, schema: JsonSchema) => boolean;
}

/** A form for an object, one field a property, in the order of the schema. */
export function SchemaForm({
  schema,
  root = schema,
  value,
  onChange,
  path = '',
  only = () => true,
}: SchemaFormProps) {
  const setAll = (changes: Readonly<Record<string, Json | undefined>>) => {
    let copy: JsonObject = { ...value };
    for (const [name, next] of Object.entries(changes)) {
      if (next === undefined) Reflect.deleteProperty(copy, name);
      else copy[name] = next;
      copy = withoutIdle(schema, copy, name);
    }
    onChange(copy);
  };
  const set = (name: string, next: Json | undefined) => setAll({ [name]: next });
  const required = schema.required ?? [];
  const properties = Object.entries(schema.properties ?? {});
  const joined = new Set(properties.flatMap(([, property]) => property['x-beside'] ?? []));
  const shown = properties.filter(
    ([name, property]) =>
      only(name, property) &&
      !joined.has(name) &&
      (hasEffect(property, schema, value) || (isRecord(value) && value[name] !== undefined)),
  );
  return (
    <BesideContext value={{ schema, value, set, setAll, path }}>
      <Stack gap={12}>
        {grouped(shown).map(([group, entries]) => (
          <Fragment key={group}>
            {group === PLAIN ||
            group === MORE ||
            (sections as readonly string[]).includes(group) ? null : (
              <h2 className={classes.subgroup}>{group}</h2>
            )}
            {entries.map(([name, property]) => (
              <div
                key={name}
                data-field={path ? `${path}.${name}` : name}
                style={{ display: 'contents' }}
              >
                <SchemaField
                  schema={property}
                  root={root}
                  value={isRecord(value) ? value[name] : undefined}
                  onChange={(next) => set(name, next)}
                  label={labelFor(name, resolve(property, root))}
                  path={path ? `${path}.${name}` : name}
                  required={required.includes(name) || property['x-needed'] === true}
                />
              </div>
            ))}
          </Fragment>
        ))}
      </Stack>
    </BesideContext>
  );
}

const PLAIN = 'Settings';
/** The group of what is seldom needed, which the inspector folds. */
export const MORE = 'More settings';

/** The properties of a schema that are seldom needed, and how many of them a value sets. */
export function seldom(schema: JsonSchema, value: JsonObject | undefined) {
  const names = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    resolve(property, schema)['x-group'] === MORE || property['x-group'] === MORE ? [name] : [],
  );
  const set = names.filter((name) => {
    const own = value?.[name];
    return own !== undefined && own !== null && !equal(own, schema.properties?.[name]?.default);
  });
  return { names: new Set(names), set: set.length };
}

/** Properties by the group that their schema names, groups in the order in which they first appear. */
function grouped(entries: readonly [string, JsonSchema][]): [string, [string, JsonSchema][]][] {
  const groups = new Map<string, [string, JsonSchema][]>([[PLAIN, []]]);
  for (const entry of entries) {
    const name = entry[1]['x-group'] ?? PLAIN;
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups];
}

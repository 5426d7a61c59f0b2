import { Stack } from '@mantine/core';
import type { Json, JsonObject, JsonSchema } from '../api/types.ts';
import { isRecord } from '../graph/equal.ts';
import { resolve, typeOf, variantsOf } from '../graph/schema.ts';
import { type FieldProps, labelFor } from './field.ts';
import { CodeField, JsonField } from './fields/CodeField.tsx';
import { DurationField } from './fields/DurationField.tsx';
import { KeysField } from './fields/KeysField.tsx';
import { isPick, PickField, PickManyField } from './fields/PickField.tsx';
import {
  BooleanField, EnumField, LinesField, LongTextField, ManyOfField, MoneyField, NumberField, NumbersField, TagsField, TextField,
} from './fields/plain.tsx';
import { ListField, MapField, ObjectField, OptionalObjectField, VariantField } from './fields/structure.tsx';

/** The field of a widget that the schema asks for; null where the type decides. */
function widgetField(widget: string, field: FieldProps) {
  switch (widget) {
    case 'prompt': return <CodeField {...field} language="template" />;
    case 'expression': return <CodeField {...field} language="expression" />;
    case 'jsonpath': return <CodeField {...field} language="jsonpath" />;
    case 'duration': return <DurationField {...field} />;
    case 'money': return <MoneyField {...field} />;
    case 'keys': return <KeysField {...field} />;
    case 'json': return <JsonField {...field} />;
    case 'text': return <LongTextField {...field} />;
    case 'lines': return <LinesField {...field} />;
    default:
      if (!isPick(widget)) return null;
      return typeOf(field.schema) === 'array' ? <PickManyField {...field} widget={widget} /> : <PickField {...field} widget={widget} />;
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
    case 'string': return <TextField {...field} />;
    case 'integer':
    case 'number': return <NumberField {...field} />;
    case 'boolean': return <BooleanField {...field} />;
    case 'array': return arrayField(field);
    case 'object':
      if (!schema.properties) return schema.additionalProperties === false ? null : <MapField {...field} />;
      return raw.anyOf ? <OptionalObjectField {...field} /> : <ObjectField {...field} />;
    default: return <JsonField {...field} />;
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
export function SchemaForm({ schema, root = schema, value, onChange, path = '', only = () => true }: SchemaFormProps) {
  const set = (name: string, next: Json | undefined) => {
    const copy: JsonObject = { ...value };
    if (next === undefined) Reflect.deleteProperty(copy, name);
    else copy[name] = next;
    onChange(copy);
  };
  const required = schema.required ?? [];
  return (
    <Stack gap={12}>
      {Object.entries(schema.properties ?? {}).filter(([name, property]) => only(name, property)).map(([name, property]) => (
        <div key={name} data-field={path ? `${path}.${name}` : name} style={{ display: 'contents' }}>
          <SchemaField
            schema={property} root={root} value={isRecord(value) ? value[name] : undefined} onChange={(next) => set(name, next)}
            label={labelFor(name, resolve(property, root))} path={path ? `${path}.${name}` : name} required={required.includes(name)}
          />
        </div>
      ))}
    </Stack>
  );
}

import type { Json, JsonSchema } from '../../api/types/types.ts';
import { isRecord } from '../document/equal.ts';
import { asKind, type FieldKind, kindOf } from './kinds.ts';

/** One row of a table of fields. */
export interface Field {
  name: string;
  schema: JsonSchema;
  /** Null: a table cannot say it. */
  kind: FieldKind | null;
  required: boolean;
}

/** The most letters of a name. */
const LONGEST = 100;

/** The fields of an object schema, in its order. */
export function fieldsOf(schema: JsonSchema | null | undefined): Field[] {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    kind: kindOf(property),
    required: required.includes(name),
  }));
}

/** A typed name as the document spells it: `Letter of intent` is `Letter_of_intent`; empty where nothing is left. */
export const fieldName = (typed: string) =>
  typed
    .trim()
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .replace(/^[_-]+/, '')
    .slice(0, LONGEST)
    .replace(/_+$/, '');

/** An object with one entry set where it stands, or at the end; `undefined` takes it out. */
function withEntry<T extends object>(object: T, key: string, value: unknown): T {
  const copy = { ...object } as Record<string, unknown>;
  if (value === undefined) Reflect.deleteProperty(copy, key);
  else copy[key] = value;
  return copy as T;
}

function withProperties(
  schema: JsonSchema,
  change: (properties: Record<string, JsonSchema>) => Record<string, JsonSchema>,
): JsonSchema {
  return withEntry(schema, 'properties', change(schema.properties ?? {}));
}

/** What an object schema without fields begins with; `closed` refuses fields that are not listed. */
const beginning = (closed: boolean): JsonSchema =>
  closed ? { type: 'object', additionalProperties: false } : { type: 'object' };

/** The schema with one more field; unchanged where the name is taken or none. */
export function addField(
  schema: JsonSchema | null | undefined,
  name: string,
  options: { closed?: boolean; required?: boolean; property?: JsonSchema } = {},
): JsonSchema {
  const old = schema && Object.keys(schema).length > 0 ? schema : null;
  const base = old ?? beginning(options.closed ?? false);
  if (!name || base.properties?.[name] !== undefined) return base;
  const grown = withProperties(base, (properties) => ({
    ...properties,
    [name]: options.property ?? { type: 'string' },
  }));
  return options.required ? setRequired(grown, name, true) : grown;
}

/** The schema without a field. */
export function removeField(schema: JsonSchema, name: string): JsonSchema {
  if (schema.properties?.[name] === undefined) return schema;
  const less = withProperties(schema, (properties) => withEntry(properties, name, undefined));
  return setRequired(less, name, false);
}

/** The schema with a field called otherwise, in its place; unchanged where that name is taken or none. */
export function renameField(schema: JsonSchema, name: string, to: string): JsonSchema {
  if (!to || schema.properties?.[name] === undefined || schema.properties[to] !== undefined)
    return schema;
  const renamed = withProperties(schema, (properties) =>
    Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key === name ? to : key, value]),
    ),
  );
  if (!schema.required?.includes(name)) return renamed;
  return {
    ...renamed,
    required: schema.required.map((entry) => (entry === name ? to : entry)),
  };
}

/** The schema with a field that must be given, or need not. */
export function setRequired(schema: JsonSchema, name: string, required: boolean): JsonSchema {
  const now = schema.required ?? [];
  if (now.includes(name) === required) return schema;
  const next = required ? [...now, name] : now.filter((entry) => entry !== name);
  return withEntry(schema, 'required', next.length > 0 ? next : undefined);
}

/** The schema with one property changed, and nothing else. */
export function setProperty(
  schema: JsonSchema,
  name: string,
  change: (property: JsonSchema) => JsonSchema,
): JsonSchema {
  const property = schema.properties?.[name];
  if (property === undefined) return schema;
  const next = change(property);
  return next === property
    ? schema
    : withProperties(schema, (properties) => withEntry(properties, name, next));
}

/** A property with one keyword changed; `undefined` takes it out. */
export const withKeyword = (
  property: JsonSchema,
  keyword: keyof JsonSchema,
  value: unknown,
): JsonSchema => withEntry(property, keyword, value);

/** The schema with a field of another kind. */
export const setKind = (schema: JsonSchema, name: string, kind: FieldKind): JsonSchema =>
  setProperty(schema, name, (property) => asKind(property, kind));

/** The sample of a field; undefined where it has none. */
export const sampleOf = (property: JsonSchema): Json | undefined => property.examples?.[0];

/** A property with this sample, its first example; `undefined` takes it out. */
export function withSample(property: JsonSchema, sample: Json | undefined): JsonSchema {
  const others = property.examples?.slice(1) ?? [];
  const next = sample === undefined ? others : [sample, ...others];
  return withKeyword(property, 'examples', next.length > 0 ? next : undefined);
}

/** The samples of all fields that have one, as an input that a run can be started with. */
export function samplesOf(schema: JsonSchema | null | undefined): Record<string, Json> {
  return Object.fromEntries(
    fieldsOf(schema).flatMap(({ name, schema: property }) => {
      const sample = isRecord(property) ? sampleOf(property) : undefined;
      return sample === undefined ? [] : [[name, sample] as const];
    }),
  );
}

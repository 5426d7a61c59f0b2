import type { JsonSchema } from '../../api/types/types.ts';
import { isRecord } from '../document/equal.ts';

/** What a field of a table can be; what no kind says is edited as JSON Schema. */
export type FieldKind =
  'text' | 'long' | 'number' | 'money' | 'boolean' | 'one' | 'date' | 'list' | 'group';

/** Every kind with its word on screen, in the order in which they are offered. */
export const kindWords: Readonly<Record<FieldKind, string>> = {
  text: 'Text',
  long: 'Long text',
  number: 'Number',
  money: 'Money',
  boolean: 'Yes/no',
  one: 'One of',
  date: 'Date',
  list: 'List of',
  group: 'Group',
};

/** Keywords that say more about a shape than a kind can. */
const BEYOND = new Set(
  `$ref $dynamicRef $defs anyOf oneOf allOf not if then else const patternProperties prefixItems
   propertyNames dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems contains`.split(
    /\s+/,
  ),
);

/** The keywords that make a kind; another kind replaces them and leaves the rest. */
const SHAPE = [
  'type',
  'enum',
  'format',
  'x-widget',
  'x-unit',
  'items',
  'properties',
  'required',
  'additionalProperties',
] as const;

/** What a fresh field of a kind says. */
const shapes: Readonly<Record<FieldKind, JsonSchema>> = {
  text: { type: 'string' },
  long: { type: 'string', 'x-widget': 'text' },
  number: { type: 'number' },
  money: { type: 'number', format: 'money', 'x-unit': 'USD' },
  boolean: { type: 'boolean' },
  one: { type: 'string', enum: [] },
  date: { type: 'string', format: 'date' },
  list: { type: 'array', items: { type: 'string' } },
  group: { type: 'object', properties: {} },
};

function textKind(schema: JsonSchema): FieldKind | null {
  if (schema.format === 'date') return 'date';
  if (schema['x-widget'] === 'text') return 'long';
  return schema['x-widget'] === undefined ? 'text' : null;
}

/** The kind of a property; null where a table cannot say what it asks for. */
export function kindOf(schema: unknown): FieldKind | null {
  if (!isRecord(schema) || Object.keys(schema).some((keyword) => BEYOND.has(keyword))) return null;
  const given = schema as JsonSchema;
  if (given.enum) {
    const plain = given.type === undefined || given.type === 'string';
    return plain && given.enum.every((value) => typeof value === 'string') ? 'one' : null;
  }
  switch (given.type) {
    case 'string':
      return textKind(given);
    case 'integer':
    case 'number':
      return given.format === 'money' ? 'money' : 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return given.items === undefined || kindOf(given.items) === null ? null : 'list';
    case 'object':
      return typeof given.additionalProperties === 'object' ? null : 'group';
    default:
      return null;
  }
}

/** A property as another kind: what made the old one goes, words and samples that still fit stay. */
export function asKind(schema: JsonSchema, kind: FieldKind): JsonSchema {
  if (kindOf(schema) === kind) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword]) => !(SHAPE as readonly string[]).includes(keyword) && keyword !== 'examples',
  );
  return { ...structuredClone(shapes[kind]), ...Object.fromEntries(kept) };
}

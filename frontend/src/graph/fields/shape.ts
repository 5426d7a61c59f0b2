import type { Json, JsonSchema } from '../../api/types/types.ts';
import { isRecord } from '../document/equal.ts';

/** Words at the top of a JSON Schema; the server's list is in `engine/check/rules/schemas.py`. */
const KEYWORDS = new Set(
  `$schema $id $ref $defs $anchor $comment $dynamicRef $dynamicAnchor $vocabulary definitions type enum const
   properties required additionalProperties patternProperties propertyNames minProperties maxProperties
   dependentRequired dependentSchemas dependencies unevaluatedProperties items prefixItems additionalItems
   contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems anyOf oneOf allOf not if
   then else title description default examples format pattern minLength maxLength minimum maximum
   exclusiveMinimum exclusiveMaximum multipleOf contentEncoding contentMediaType contentSchema readOnly
   writeOnly deprecated reducer`.split(/\s+/),
);

/** Whether something is written as a schema: empty, or with a word of JSON Schema at its top. */
export const isShaped = (schema: object) =>
  Object.keys(schema).length === 0 ||
  Object.keys(schema).some((keyword) => KEYWORDS.has(keyword) || keyword.startsWith('x-'));

const kinds: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  str: { type: 'string' },
  number: { type: 'number' },
  float: { type: 'number' },
  int: { type: 'integer' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  bool: { type: 'boolean' },
  array: { type: 'array', items: { type: 'string' } },
  list: { type: 'array', items: { type: 'string' } },
  object: { type: 'object', properties: {} },
};

function property(value: Json): JsonSchema {
  if (typeof value === 'string') {
    const known = kinds[value.trim().toLowerCase()];
    return known ? { ...known } : { type: 'string', examples: [value] };
  }
  if (typeof value === 'number') return { type: 'number', examples: [value] };
  if (typeof value === 'boolean') return { type: 'boolean', examples: [value] };
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } };
  if (isRecord(value) && isShaped(value)) return value as JsonSchema;
  return { type: 'object', ...(isRecord(value) ? asFields(value) : {}) };
}

/** The fields that somebody meant who wrote names instead of a schema: `{name: "string"}`, also inside `inputs`. */
export function asFields(given: object): JsonSchema {
  const entries = Object.entries(given as Record<string, Json>);
  const [only] = entries;
  if (entries.length === 1 && only && only[0] === 'inputs' && isRecord(only[1])) {
    const inner = only[1] as JsonSchema;
    return isShaped(inner) ? inner : asFields(inner);
  }
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, value]) => [name, property(value)])),
  };
}

/** A text as a JSON object, or what is wrong with it in plain words. */
export function readObject(text: string): { value: JsonSchema } | { wrong: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value)
      ? { value: value as JsonSchema }
      : { wrong: 'Begin with { and end with }: a schema is an object.' };
  } catch (error) {
    return {
      wrong: `${placeOf(text, error)}: a comma, a quote or a bracket is missing or too much.`,
    };
  }
}

/** The line at which reading JSON stopped, as far as the browser tells. */
function placeOf(text: string, error: unknown): string {
  const words = error instanceof Error ? error.message : '';
  const line = /line (\d+)/.exec(words)?.[1];
  if (line) return `Line ${line}`;
  const at = /position (\d+)/.exec(words)?.[1];
  const before = at === undefined ? text : text.slice(0, Number(at));
  return `Line ${before.split('\n').length}`;
}

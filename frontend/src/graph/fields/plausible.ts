import type { Json, JsonSchema } from '../../api/types/types.ts';
import { isRecord } from '../document/equal.ts';
import { fieldsOf, sampleOf } from './fields.ts';

/** Something that a field takes: what is given with it, else the plainest of its type. */
export function plausible(property: JsonSchema): Json {
  const isSchema: boolean = isRecord(property); // a document says what it likes
  if (!isSchema) return '…';
  const given = sampleOf(property) ?? property.default ?? property.const ?? property.enum?.[0];
  if (given !== undefined) return given;
  const either = property.anyOf ?? property.oneOf;
  if (property.type === undefined && either !== undefined) return plausible(either[0] ?? {});
  const type = Array.isArray(property.type) ? property.type[0] : property.type;
  switch (type) {
    case 'number':
    case 'integer':
      return Math.max(0, property.minimum ?? 0);
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        fieldsOf(property).map(({ name, schema }) => [name, plausible(schema)]),
      );
    case 'null':
      return null;
    default:
      return property.format === 'date' ? '2026-01-31' : '…';
  }
}

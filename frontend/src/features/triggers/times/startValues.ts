import { type Field, fieldsOf } from '../../../graph/fields/fields.ts';
import type { GraphDetail, JsonSchema } from '../../../api/types/types.ts';

/** The fields that a run of the workflow begins with. */
export const startFields = (graph: GraphDetail | undefined): Field[] =>
  fieldsOf(graph?.document.interface?.inputs);

const isNumber = ({ type }: JsonSchema) => type === 'number' || type === 'integer';

/** A fixed value as an expression says it: numbers, yes and no and JSON as they are, all else in quotes. */
export function literal(text: string, property: JsonSchema): string {
  const plain = text.trim();
  if (isNumber(property) && plain !== '' && Number.isFinite(Number(plain))) return plain;
  if (property.type === 'boolean' && /^(?:yes|true)$/i.test(plain)) return 'true';
  if (property.type === 'boolean' && /^(?:no|false)$/i.test(plain)) return 'false';
  if ((property.type === 'array' || property.type === 'object') && /^[[{]/.test(plain))
    return plain;
  return JSON.stringify(plain);
}

/** The mapping of values that somebody typed; what is empty is left out, and none is no mapping. */
export function mappingOfValues(
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, schema }) => {
      const text = values[name]?.trim() ?? '';
      return text === '' ? [] : [[name, literal(text, schema)]];
    }),
  );
}

/** A body that the workflow takes, of its samples and of what stands for each type. */
export function sampleBody(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, schema }) => [name, sampleValue(schema)]));
}

function sampleValue(property: JsonSchema): unknown {
  const [example] = property.examples ?? [];
  if (example !== undefined) return example;
  if (property.enum) return property.enum[0];
  if (isNumber(property)) return 1;
  if (property.type === 'boolean') return true;
  if (property.type === 'array') return [];
  return property.type === 'object' ? {} : '…';
}

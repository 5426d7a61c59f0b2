/** Fields as they are typed into one row: `name, cv: long text, level: senior | mid`. */

import type { JsonSchema } from '../../api/types/types.ts';
import { fieldName } from './fields.ts';
import { asKind, type FieldKind, kindWords } from './kinds.ts';

export interface TypedField {
  name: string;
  property: JsonSchema;
}

const plain: JsonSchema = { type: 'string' };
const kinds = new Map(
  Object.entries(kindWords).map(([kind, word]) => [word.toLowerCase(), kind as FieldKind]),
);

/** What stands after the colon: a kind by its word, else values of which it is one; undefined for neither. */
function propertyOf(said: string): JsonSchema | undefined {
  const kind = kinds.get(said.toLowerCase().replace(/\s+/g, ' '));
  if (kind) return asKind(plain, kind);
  const values = [
    ...new Set(
      said
        .split(/[|/]/)
        .map((value) => value.trim())
        .filter(Boolean),
    ),
  ];
  return values.length > 1 ? { ...asKind(plain, 'one'), enum: values } : undefined;
}

function typedField(text: string): TypedField | null {
  const at = text.indexOf(':');
  const property = at > 0 ? propertyOf(text.slice(at + 1).trim()) : undefined;
  const name = fieldName(property ? text.slice(0, at) : text);
  return name ? { name, property: property ?? plain } : null;
}

/** The fields in what was typed, each name once. */
export function typedFields(typed: string): TypedField[] {
  const found = typed.split(/[,;\n]/).flatMap((text) => typedField(text) ?? []);
  return [...new Map(found.map((field) => [field.name, field])).values()];
}

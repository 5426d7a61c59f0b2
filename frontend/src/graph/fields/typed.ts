/** Fields as they are typed into one row: `name, cv: long text, level: senior | mid`. */

import type { JsonSchema } from '../../api/types/types.ts';
import { fieldName } from './fields.ts';
import { asKind, type FieldKind, kindWords } from './kinds.ts';

export interface TypedField {
  name: string;
  property: JsonSchema;
}

const plain: JsonSchema = { type: 'string' };
/** What else people call a kind. */
const alsoCalled: Readonly<Partial<Record<FieldKind, string>>> = {
  text: 'string,str,short text',
  long: 'longtext,textarea,multiline,paragraph',
  number: 'int,integer,float,decimal,numeric',
  money: 'usd,currency',
  boolean: 'bool,boolean,yes/no,true/false,flag,checkbox',
  date: 'day',
  list: 'list,array,several',
  group: 'object,dict,map,record,json',
};
const kinds = new Map<string, FieldKind>();
for (const [kind, word] of Object.entries(kindWords) as [FieldKind, string][])
  for (const name of [word.toLowerCase(), ...(alsoCalled[kind] ?? '').split(',')])
    if (name) kinds.set(name, kind);
const LIST_OF = /^(?:list|array) of /;

/** The property that a kind's word means, `list of numbers` among them. */
function ofKind(word: string): JsonSchema | undefined {
  const [items] = LIST_OF.test(word) ? [word.replace(LIST_OF, '')] : [];
  if (items !== undefined) {
    const kind = kinds.get(items) ?? kinds.get(items.replace(/s$/, ''));
    return kind && { ...asKind(plain, 'list'), items: asKind(plain, kind) };
  }
  const kind = kinds.get(word);
  return kind && asKind(plain, kind);
}

/** What stands after the colon: a kind by a word for it, else values of which it is one; undefined for neither. */
function propertyOf(said: string): JsonSchema | undefined {
  const kind = ofKind(said.toLowerCase().replace(/\s+/g, ' '));
  if (kind) return kind;
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

/** The first word after a colon that is neither a kind nor values; empty where all are. */
export function unknownKind(typed: string): string {
  for (const text of typed.split(/[,;\n]/)) {
    const at = text.indexOf(':');
    const said = text.slice(at + 1).trim();
    if (at > 0 && said && !propertyOf(said)) return said;
  }
  return '';
}

/** The fields in what was typed, each name once. */
export function typedFields(typed: string): TypedField[] {
  const found = typed.split(/[,;\n]/).flatMap((text) => typedField(text) ?? []);
  return [...new Map(found.map((field) => [field.name, field])).values()];
}

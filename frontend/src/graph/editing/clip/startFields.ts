import type { JsonObject, JsonSchema } from '../../../api/types/types.ts';
import { withRecords } from '../../document/diff.ts';
import type { Records } from '../../document/document.ts';
import { addField, fieldsOf } from '../../fields/fields.ts';
import { kindOf, kindWords } from '../../fields/kinds.ts';
import type { StartField } from './copy.ts';

/** A start field of the same name that holds something else than what is pasted was made for. */
export interface Clash {
  name: string;
  here: string;
  there: string;
}

function kindText(schema: JsonSchema): string {
  const kind = kindOf(schema);
  return kind ? kindWords[kind] : 'something else';
}

/** The document with the start fields that it lacks: which came, and which are here and hold something else. */
export function withStartFields(
  records: Records,
  fields: Readonly<Record<string, StartField>>,
): { records: Records; came: string[]; clashes: Clash[] } {
  const now = records.settings.interface;
  const here = new Map(fieldsOf(now?.inputs).map(({ name, schema }) => [name, schema]));
  const came = Object.keys(fields).filter((name) => !here.has(name));
  const clashes = Object.entries(fields).flatMap(([name, { schema }]): Clash[] => {
    const own = here.get(name);
    if (!own || (kindOf(own) === kindOf(schema) && own.type === schema.type)) return [];
    return [{ name, here: kindText(own), there: kindText(schema) }];
  });
  if (came.length === 0) return { records, came, clashes };
  const inputs = came.reduce<JsonSchema | null | undefined>((grown, name) => {
    const field = fields[name];
    return addField(grown, name, { property: field?.schema, required: field?.required });
  }, now?.inputs);
  const value = { ...now, inputs } as unknown as JsonObject;
  return {
    records: withRecords(records, [{ kind: 'setting', id: 'interface', value }]),
    came,
    clashes,
  };
}

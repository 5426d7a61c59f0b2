import type { JsonSchema, NodeTypeInfo } from '../../api/types/types.ts';
import type { Records, Settings } from '../document/document.ts';
import { isRecord } from '../document/equal.ts';
import { fieldsOf } from '../fields/fields.ts';
import { type FieldKind, kindOf } from '../fields/kinds.ts';
import { saysWords } from '../editing/operations.ts';
import { memberOf, memoryKeys } from '../schema/names.ts';
import type { Value } from './condition.ts';

/** A field that a condition may ask for. */
export interface Askable {
  /** As an expression names it: `memory.level`. */
  field: string;
  label: string;
  /** Where it comes from, in words. */
  from: string;
  /** Null where nobody says what it is. */
  kind: FieldKind | null;
  /** Every value that it can have, where they are listed. */
  values: readonly Value[];
}

/** The values that a property lists: those of a *One of*, yes and no. */
export function listedValues(schema: unknown): readonly Value[] {
  if (!isRecord(schema)) return [];
  const kind = kindOf(schema);
  if (kind === 'boolean') return [true, false];
  return kind === 'one' ? ((schema as JsonSchema).enum as string[]) : [];
}

const described = (root: string, from: string, schema: JsonSchema | null | undefined): Askable[] =>
  fieldsOf(schema).map(({ name, schema: property, kind }) => ({
    field: memberOf(root, name),
    label: name,
    from,
    kind,
    values: listedValues(property),
  }));

const lists = new WeakMap<Settings, readonly Askable[]>();

/** The fields that a workflow describes: those of memory, then those of its start. */
export function describedFields(settings: Settings): readonly Askable[] {
  const known = lists.get(settings);
  if (known) return known;
  const found = [
    ...described('memory', 'Fields', settings.state_schema),
    ...described('input', 'Start', settings.interface?.inputs),
  ];
  lists.set(settings, found);
  return found;
}

/** Everything that the condition of a wire may ask for. */
export function askable(
  records: Records,
  types: ReadonlyMap<string, NodeTypeInfo>,
): readonly Askable[] {
  const fields = describedFields(records.settings);
  const unsaid = { kind: null, values: [] };
  const others = memoryKeys(records, types)
    .filter(({ declared }) => !declared)
    .map(({ key }) => ({ field: memberOf('memory', key), label: key, from: 'Fields', ...unsaid }));
  // a router that the conditions of its wires lead through answers nothing
  const answering = [...records.nodes.values()].filter(({ id }) => saysWords(records, id));
  const answers = answering.map(({ id, label }) => ({
    field: memberOf('outputs', id),
    label: `Answer of ${label || id}`,
    from: 'Answers',
    ...unsaid,
  }));
  return [...fields, ...others, ...answers];
}

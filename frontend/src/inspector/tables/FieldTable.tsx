import { type ReactNode } from 'react';
import type { JsonSchema } from '../../api/types/types.ts';
import {
  addField,
  type Field,
  fieldsOf,
  removeField,
  renameField,
  setKind,
  setProperty,
  setRequired,
} from '../../graph/fields/fields.ts';
import { FieldRow } from './FieldRow.tsx';
import { NewField } from './NewField.tsx';
import classes from './tables.module.css';

export type SchemaChange = (schema: JsonSchema | null | undefined) => JsonSchema;

export interface FieldTableProps {
  schema: JsonSchema | null | undefined;
  /** One change of the schema; with a label it is an undo step of its own, without it goes on while typing. */
  onChange: (change: SchemaChange, label?: string) => void;
  /** What is asked for: "Start fields". */
  label: string;
  readOnly: boolean;
  /** Whether the first field closes the schema to others, and whether new ones must be given. */
  closed?: boolean;
  required?: boolean;
  /** Call a field otherwise wherever it is named; absent: only in this schema. */
  onRename?: (from: string, to: string) => void;
  /** More about a field, under its own words. */
  more?: (field: Field) => ReactNode;
}

/** Fields as rows: name and kind, and what else there is to say folded below. Each edit changes one property and nothing else. */
export function FieldTable(props: FieldTableProps) {
  const { schema, onChange, label, readOnly, closed = false, required = false, more } = props;
  const rename =
    props.onRename ?? ((from, to) => change((now) => renameField(now, from, to), 'Rename field'));
  const fields = fieldsOf(schema);
  const taken = new Set(fields.map((field) => field.name));
  const change = (edit: (schema: JsonSchema) => JsonSchema, step?: string) =>
    onChange((now) => edit(now ?? {}), step);
  return (
    <div className={classes.table} role="group" aria-label={label}>
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          taken={taken}
          readOnly={readOnly}
          more={more}
          asksRequired={required}
          onRename={(to) => rename(field.name, to)}
          onKind={(kind) => change((now) => setKind(now, field.name, kind), 'Change type')}
          onRequired={(on) => change((now) => setRequired(now, field.name, on), 'Require field')}
          onProperty={(edit, step) => change((now) => setProperty(now, field.name, edit), step)}
          onRemove={() => change((now) => removeField(now, field.name), 'Remove field')}
        />
      ))}
      {readOnly ? null : (
        <NewField
          label={fields.length === 0 ? `Add ${label.toLowerCase()}` : 'Add a field'}
          taken={taken}
          onAdd={(added) =>
            onChange(
              (now) =>
                added.reduce<JsonSchema>(
                  (grown, { name, property }) =>
                    addField(grown, name, { closed, required, property }),
                  now ?? {},
                ),
              added.length > 1 ? 'Add fields' : 'Add field',
            )
          }
        />
      )}
    </div>
  );
}

import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { IconChevronRight, IconLock, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { JsonSchema } from '../../api/types/types.ts';
import { type Field, fieldName } from '../../graph/fields/fields.ts';
import { type FieldKind, kindWords } from '../../graph/fields/kinds.ts';
import { FieldDetails } from './FieldDetails.tsx';
import classes from './tables.module.css';

export type PropertyChange = (edit: (property: JsonSchema) => JsonSchema, label?: string) => void;

export interface FieldRowProps {
  field: Field;
  taken: ReadonlySet<string>;
  readOnly: boolean;
  more?: ((field: Field) => ReactNode) | undefined;
  /** Whether it is asked if the field must be given. */
  asksRequired: boolean;
  onRename: (to: string) => void;
  onKind: (kind: FieldKind) => void;
  onRequired: (on: boolean) => void;
  onProperty: PropertyChange;
  onRemove: () => void;
}

const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }));
/** Kinds that mean nothing before more is said. */
const unfinished: readonly FieldKind[] = ['one', 'list', 'group'];

/** The name, which is taken on leaving the field; one that is taken or empty is said, never stored. */
function NameInput({ field, taken, readOnly, onRename }: FieldRowProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const to = fieldName(draft ?? field.name);
  const wrong =
    draft === null || to === field.name ? '' : to === '' ? 'A name' : taken.has(to) ? 'Taken' : '';
  const finish = () => {
    if (draft !== null && !wrong && to !== field.name) onRename(to);
    setDraft(null);
  };
  return (
    <TextInput
      size="xs"
      className={classes.name}
      aria-label={`Name of ${field.name}`}
      classNames={{ input: 'gw-mono' }}
      value={draft ?? field.name}
      error={wrong}
      disabled={readOnly}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        else if (event.key === 'Escape' && draft !== null) {
          event.preventDefault();
          setDraft(null);
        }
      }}
    />
  );
}

/** One field: name, kind, and folded below what else it says; open where no value can be chosen yet. */
export function FieldRow(props: FieldRowProps) {
  const { field, readOnly, onKind, onRemove } = props;
  const [open, setOpen] = useState(field.kind === 'one' && !field.schema.enum?.length);
  const id = useId();
  const pick = (kind: FieldKind) => {
    onKind(kind);
    if (unfinished.includes(kind)) setOpen(true);
  };
  return (
    <div className={classes.row} data-open={open}>
      <div className={classes.line}>
        <ActionIcon
          size="sm"
          className={classes.fold}
          aria-label={`More about ${field.name}`}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={14} />
        </ActionIcon>
        <NameInput {...props} />
        {field.required ? (
          <span className={classes.star} role="img" aria-label="required" title="Required">
            *
          </span>
        ) : null}
        {field.kind === null ? (
          <span className={classes.locked} title="A table cannot say it: see the JSON Schema">
            <IconLock size={12} aria-hidden /> JSON Schema
          </span>
        ) : (
          <NativeSelect
            size="xs"
            className={classes.kind}
            aria-label={`Type of ${field.name}`}
            data={kinds}
            value={field.kind}
            disabled={readOnly}
            onChange={(event) => pick(event.currentTarget.value as FieldKind)}
          />
        )}
        <ActionIcon
          size="sm"
          aria-label={`Remove ${field.name}`}
          disabled={readOnly}
          onClick={onRemove}
        >
          <IconTrash size={13} />
        </ActionIcon>
      </div>
      {open ? (
        <div id={id} className={classes.details}>
          <FieldDetails {...props} />
        </div>
      ) : null}
    </div>
  );
}

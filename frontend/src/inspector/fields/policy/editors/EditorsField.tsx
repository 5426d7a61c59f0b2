import { Button, Input } from '@mantine/core';
import { useState } from 'react';
import { useBeside } from '../../../form/beside.ts';
import { useForm } from '../../../form/context.ts';
import type { FieldProps } from '../../../form/field.ts';
import { JsonField } from '../../code/CodeField.tsx';
import { FieldLabel, useFieldError } from '../../Frame.tsx';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import { usePeople } from '../people/usePeople.ts';
import classes from '../policy.module.css';
import { keysOf, type Narrowed, readNarrowed, withEditors } from './narrowed.ts';

/** Who alone may edit each of the editable fields; what is more than people by key stays as JSON. */
export default function EditorsField(field: FieldProps) {
  const narrowed = readNarrowed(field.value);
  return narrowed ? <Editors field={field} narrowed={narrowed} /> : <JsonField {...field} />;
}

function Editors({ field, narrowed }: { field: FieldProps; narrowed: Narrowed }) {
  const { schema, onChange, path, label } = field;
  const { readOnly } = useForm();
  const people = usePeople();
  const editable = useBeside()?.value?.[schema['x-of'] ?? ''];
  const [open, setOpen] = useState<string | null>(null);
  const error = useFieldError(path);
  const keys = keysOf(narrowed, editable);
  const isEditable = (key: string) =>
    Array.isArray(editable) && (editable.includes(key) || editable.includes('*'));
  return (
    <div role="group" aria-label={label} className={classes.policy}>
      <FieldLabel label={label} help={schema.description} />
      {keys.length === 0 ? (
        <p className={classes.note}>
          Choose the fields that may be edited first: then say here who may edit which.
        </p>
      ) : null}
      {keys.map((key) => {
        const named = narrowed[key] ?? [];
        const who = named.map(people.name).join(', ') || 'everybody who decides';
        return (
          <div key={key} className={open === key ? classes.slot : undefined}>
            <div className={classes.line}>
              <span>
                <span className="gw-mono">{key}</span>: {who}
                {isEditable(key) ? '' : ' (not editable)'}
              </span>
              {readOnly ? null : (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-expanded={open === key}
                  aria-label={`${open === key ? 'Done with' : 'Choose'} who may edit ${key}`}
                  onClick={() => setOpen(open === key ? null : key)}
                >
                  {open === key ? 'Done' : 'Choose'}
                </Button>
              )}
            </div>
            {open === key ? (
              <PeoplePicker
                label={`Who may edit ${key}`}
                placeholder="Everybody who decides"
                value={named}
                onChange={(entries) => onChange(withEditors(narrowed, key, entries))}
                readOnly={readOnly}
              />
            ) : null}
          </div>
        );
      })}
      {error ? <Input.Error size="xs">{error}</Input.Error> : null}
    </div>
  );
}

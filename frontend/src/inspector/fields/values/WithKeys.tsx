import type { ReactNode } from 'react';
import type { NameInfo } from '../../../graph/schema/names.ts';
import { useEditor } from '../../../store/editor.ts';
import { useForm } from '../../form/context.ts';
import type { FieldProps } from '../../form/field.ts';
import { droppedValue, isValue } from './dragging.ts';
import { keyOf } from './offers.ts';
import { ValuesMenu } from './ValuesMenu.tsx';
import classes from './values.module.css';

/** Whether the keys of a field are read, so that it may name lanes too. */
export const isReading = ({ path, schema }: FieldProps): boolean =>
  /read_keys|review_keys|alike_by/.test(path) ||
  schema['x-reads'] !== undefined ||
  schema['x-grants'] === 'read';

/** What a field of keys can name: what can be read here, or the fields of the workflow. */
function useKeyNames(field: FieldProps): NameInfo[] {
  const { names, keys } = useForm();
  if (field.schema['x-start'])
    return names.filter((info) => info.from === 'Fields' || info.grant?.startsWith('input.'));
  if (isReading(field) && names.length > 0)
    return names.filter((info) => info.grant && info.grant !== 'outputs');
  return keys.map(({ key, writers }) => ({
    name: key,
    grant: key,
    detail: writers.length > 0 ? `written by ${writers.join(', ')}` : 'nobody writes it',
    readable: true,
    from: 'Fields',
  }));
}

interface WithKeysProps {
  field: FieldProps;
  /** Take a key into the field. */
  onKey: (key: string) => void;
  children: ReactNode;
}

/** A field of keys with the tree beside it; a value that is clicked or dropped comes in as its key. */
export function WithKeys({ field, onKey, children }: WithKeysProps) {
  const { readOnly, allow } = useForm();
  const names = useKeyNames(field);
  if (readOnly) return children;
  const take = (info: NameInfo) => {
    const key = keyOf(info);
    if (key === null) return;
    onKey(key);
    if (field.schema['x-reads'] !== undefined) allow?.(key);
    useEditor.getState().commit(`Insert ${key}`);
  };
  return (
    <div
      className={classes.beside}
      onDragOver={(event) => isValue(event.dataTransfer) && event.preventDefault()}
      onDrop={(event) => {
        const info = droppedValue(event.dataTransfer);
        if (!info) return;
        event.preventDefault();
        take(info);
      }}
    >
      {children}
      {names.length > 0 ? (
        <ValuesMenu label={field.label} names={names} fit="key" onPick={take} />
      ) : null}
    </div>
  );
}

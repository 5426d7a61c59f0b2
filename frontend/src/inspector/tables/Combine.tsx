import { NativeSelect } from '@mantine/core';
import type { Field } from '../../graph/fields/fields.ts';
import { withKeyword } from '../../graph/fields/fields.ts';
import type { PropertyChange } from './FieldRow.tsx';
import classes from './tables.module.css';

const ways = [
  { value: '', label: 'The last one counts' },
  { value: 'append', label: 'Append to a list' },
  { value: 'union', label: 'List without doubles' },
  { value: 'merge', label: 'Merge field by field' },
  { value: 'sum', label: 'Sum' },
  { value: 'min', label: 'Smallest' },
  { value: 'max', label: 'Largest' },
];

interface CombineProps {
  field: Field;
  /** Labels of those who give the field. */
  writers: readonly string[];
  also?: boolean;
  readOnly: boolean;
  onProperty: PropertyChange;
}

/** Who gives a field, and what becomes of it where several do. */
export function Combine({ field, writers, also = false, readOnly, onProperty }: CombineProps) {
  const reducer = field.schema.reducer ?? '';
  const names = writers.join(', ');
  return (
    <>
      <span className={classes.who}>
        {names ? `${also ? 'Also given' : 'Given'} by ${names}` : also ? '' : 'Nobody gives it yet'}
      </span>
      {writers.length > (also ? 0 : 1) || reducer ? (
        <NativeSelect
          size="xs"
          label="Combine as"
          aria-label={`Combine ${field.name} as`}
          data={ways.some((way) => way.value === reducer) ? ways : [...ways, reducer]}
          value={reducer}
          disabled={readOnly}
          onChange={(event) => {
            const next = event.currentTarget.value;
            onProperty((now) => withKeyword(now, 'reducer', next || undefined), 'Combine as');
          }}
        />
      ) : null}
    </>
  );
}

import { ActionIcon, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Askable } from '../../graph/conditions/askable.ts';
import {
  asksValue,
  fieldWord,
  type Op,
  opsOf,
  opWord,
  type Row,
  type Value,
} from '../../graph/conditions/condition.ts';
import { useForm } from '../form/context.ts';
import { RowValue } from './RowValue.tsx';
import classes from './wires.module.css';

interface RowProps {
  row: Row;
  place: number;
  fields: readonly Askable[];
  onChange: (row: Row) => void;
  /** Null for the only row. */
  onRemove: (() => void) | null;
}

/** Fields by where they come from; one that nobody knows is kept as it is. */
function grouped(fields: readonly Askable[], chosen: string) {
  const groups = new Map<string, { value: string; label: string }[]>();
  const known = fields.some(({ field }) => field === chosen) || chosen === '';
  const all = known
    ? fields
    : [...fields, { field: chosen, label: fieldWord(chosen), from: 'Other' }];
  for (const { field, label, from } of all)
    groups.set(from, [...(groups.get(from) ?? []), { value: field, label }]);
  return [...groups].map(([group, items]) => ({ group, items }));
}

/** The row with another field: operator and values stay where they fit it. */
function withField(row: Row, next: Askable | undefined, field: string): Row {
  const ops = opsOf(next?.kind ?? null);
  const op = ops.includes(row.op) ? row.op : (ops[0] ?? 'is');
  const fits = (value: Value) => next?.kind === null || next?.values.includes(value) === true;
  return { field, op, values: row.values.filter(fits) };
}

/** One row: field, is, value. */
export function ConditionRow({ row, place, fields, onChange, onRemove }: RowProps) {
  const { readOnly } = useForm();
  const about = fields.find(({ field }) => field === row.field);
  const kind = about?.kind ?? null;
  const ops = opsOf(kind);
  const nth = place === 0 ? '' : ` ${place + 1}`;
  const choices = (ops.includes(row.op) ? ops : [...ops, row.op]).map((op) => ({
    value: op,
    label: opWord(op, kind),
  }));
  const pick = (op: Op) =>
    onChange({
      ...row,
      op,
      values: asksValue(op) ? row.values.slice(0, op === 'oneOf' ? 50 : 1) : [],
    });
  return (
    <div className={classes.row}>
      <div className={classes.parts}>
        <Select
          size="xs"
          aria-label={`Field${nth}`}
          placeholder="Field"
          searchable
          allowDeselect={false}
          disabled={readOnly}
          nothingFoundMessage="No field by that name"
          data={grouped(fields, row.field)}
          value={row.field || null}
          onChange={(field) =>
            field === null
              ? undefined
              : onChange(
                  withField(
                    row,
                    fields.find((each) => each.field === field),
                    field,
                  ),
                )
          }
        />
        <Select
          size="xs"
          aria-label={`Operator${nth}`}
          allowDeselect={false}
          disabled={readOnly}
          data={choices}
          value={row.op}
          onChange={(op) => (op === null ? undefined : pick(op as Op))}
        />
        {asksValue(row.op) ? (
          <RowValue row={row} about={about} label={`Value${nth}`} onChange={onChange} />
        ) : null}
      </div>
      {onRemove && !readOnly ? (
        <ActionIcon aria-label={`Remove row${nth || ' 1'}`} size="sm" onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      ) : null}
    </div>
  );
}

import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { askable } from '../../graph/conditions/askable.ts';
import type { Condition, Row } from '../../graph/conditions/condition.ts';
import { useEditor } from '../../store/editor.ts';
import { useForm } from '../form/context.ts';
import { ConditionRow } from './ConditionRow.tsx';
import classes from './wires.module.css';

/** So many rows are enough for one condition. */
const MOST = 20;
const empty: Row = { field: '', op: 'is', values: [] };

interface RowsProps {
  condition: Condition;
  onChange: (condition: Condition) => void;
}

/** The rows of a condition, and whether all of them must hold or any. */
export function ConditionRows({ condition: { match, rows }, onChange }: RowsProps) {
  const { readOnly } = useForm();
  const records = useEditor((state) => state.records);
  const types = useEditor((state) => state.types);
  const fields = useMemo(() => askable(records, types), [records, types]);
  const put = (place: number, row: Row | null) =>
    onChange({
      match,
      rows: rows.flatMap((old, index) => (index !== place ? [old] : row ? [row] : [])),
    });
  return (
    <div className={classes.rows}>
      {rows.length > 1 ? (
        <SegmentedControl
          size="xs"
          value={match}
          disabled={readOnly}
          aria-label="How many must hold"
          onChange={(value) => onChange({ match: value as Condition['match'], rows })}
          data={[
            { value: 'all', label: 'All of these' },
            { value: 'any', label: 'Any of these' },
          ]}
        />
      ) : null}
      {rows.map((row, index) => (
        <ConditionRow
          key={index}
          row={row}
          place={index}
          fields={fields}
          onChange={(next) => put(index, next)}
          onRemove={rows.length > 1 ? () => put(index, null) : null}
        />
      ))}
      {readOnly || rows.length >= MOST ? null : (
        <div className={classes.foot}>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={13} />}
            onClick={() => onChange({ match, rows: [...rows, empty] })}
          >
            And another
          </Button>
        </div>
      )}
    </div>
  );
}

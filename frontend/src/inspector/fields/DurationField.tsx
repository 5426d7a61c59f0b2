import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import type { FieldProps } from '../form/field.ts';
import { Frame, useInputProps } from './Frame.tsx';
import classes from '../inspector.module.css';

const units = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, days: 86_400_000 };
type Unit = keyof typeof units;
const names = Object.keys(units) as Unit[];

/** The largest unit in which a duration is a whole number. */
function unitOf(ms: number): Unit {
  return names.toReversed().find((unit) => ms >= units[unit] && ms % units[unit] === 0) ?? 'ms';
}

/** Milliseconds, shown in the unit that reads best. */
export function DurationField(field: FieldProps) {
  const { schema, value, onChange, label } = field;
  const { disabled } = useInputProps(field);
  const fallback = typeof schema.default === 'number' ? schema.default : null;
  const ms = typeof value === 'number' ? value : null;
  const [chosen, setChosen] = useState<Unit | null>(null);
  const unit = chosen ?? unitOf(ms ?? fallback ?? 1000);
  return (
    <Frame field={field}>
      <div className={classes.pair}>
        <NumberInput
          size="xs"
          aria-label={label}
          hideControls
          min={0}
          disabled={disabled}
          value={ms === null ? '' : ms / units[unit]}
          placeholder={fallback === null ? 'None' : String(fallback / units[unit])}
          onChange={(next) =>
            onChange(typeof next === 'number' ? Math.round(next * units[unit]) : undefined)
          }
        />
        <Select
          size="xs"
          aria-label={`Unit of ${label}`}
          data={names}
          value={unit}
          allowDeselect={false}
          disabled={disabled}
          onChange={(next) => {
            const to = (next ?? 'ms') as Unit;
            if (ms !== null) onChange((ms / units[unit]) * units[to]);
            setChosen(to);
          }}
        />
      </div>
    </Frame>
  );
}

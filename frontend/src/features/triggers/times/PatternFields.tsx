import { NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  clockOf,
  cronOf,
  type Pattern,
  patternOf,
  repeated,
  repeats,
  weekdays,
} from './pattern.ts';
import classes from '../triggers.module.css';

interface PatternFieldsProps {
  cron: string;
  error: string | null;
  onChange: (cron: string) => void;
}

/** How often and at what time, in words; what words do not say is a cron line. */
export function PatternFields({ cron, error, onChange }: PatternFieldsProps) {
  const [typed, setTyped] = useState(() => patternOf(cron) === null);
  const pattern = typed ? null : patternOf(cron);
  return (
    <>
      <div className={classes.pattern}>
        <Select
          label="How often"
          data={repeats}
          value={pattern?.repeat ?? 'custom'}
          onChange={(value) => {
            setTyped(value === 'custom');
            if (value && value !== 'custom') onChange(repeated(cron, value));
          }}
          allowDeselect={false}
        />
        {pattern ? (
          <At pattern={pattern} onChange={(part) => onChange(cronOf({ ...pattern, ...part }))} />
        ) : null}
      </div>
      {pattern ? null : (
        <TextInput
          label="Cron line"
          description="Minute, hour, day, month, weekday: */15 9-17 * * 1-5 is every 15 minutes from 9:00 to 17:45, Monday to Friday."
          classNames={{ input: 'gw-mono' }}
          value={cron}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
        />
      )}
    </>
  );
}

interface AtProps {
  pattern: Pattern;
  onChange: (part: Partial<Pattern>) => void;
}

/** The day of a week or month, and the time. */
function At({ pattern, onChange }: AtProps) {
  const { repeat } = pattern;
  if (repeat === 'hour')
    return (
      <NumberInput
        label="At minute"
        min={0}
        max={59}
        clampBehavior="strict"
        allowDecimal={false}
        value={pattern.minute}
        onChange={(minute) => typeof minute === 'number' && onChange({ minute })}
      />
    );
  return (
    <>
      {repeat === 'week' ? (
        <Select
          label="On"
          data={weekdays}
          value={String(pattern.weekday)}
          onChange={(value) => onChange({ weekday: Number(value) })}
          allowDeselect={false}
        />
      ) : null}
      {repeat === 'month' ? (
        <NumberInput
          label="On day"
          description={pattern.monthday > 28 ? 'Left out in months without it' : undefined}
          inputWrapperOrder={['label', 'input', 'description']}
          min={1}
          max={31}
          clampBehavior="strict"
          allowDecimal={false}
          value={pattern.monthday}
          onChange={(monthday) => typeof monthday === 'number' && onChange({ monthday })}
        />
      ) : null}
      <TextInput
        label="At"
        type="time"
        required
        withAsterisk={false}
        value={clockOf(pattern)}
        onChange={(event) => {
          const [hour, minute] = event.currentTarget.value.split(':').map(Number);
          if (hour !== undefined && minute !== undefined) onChange({ hour, minute });
        }}
      />
    </>
  );
}

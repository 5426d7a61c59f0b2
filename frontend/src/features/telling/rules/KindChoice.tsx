import { Checkbox } from '@mantine/core';
import type { EVENTS } from '../words.ts';
import classes from '../telling.module.css';

interface KindChoiceProps {
  offered: typeof EVENTS;
  chosen: string[];
  note: string | null;
  onChange: (chosen: string[]) => void;
}

/** What a rule tells of, by what it is about. */
export function KindChoice({ offered, chosen, note, onChange }: KindChoiceProps) {
  return (
    <Checkbox.Group label="What is told" description={note} value={chosen} onChange={onChange}>
      <div className={classes.kinds}>
        {offered.map(({ group, items }) => (
          <fieldset key={group}>
            <legend>{group}</legend>
            {items.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} size="sm" />
            ))}
          </fieldset>
        ))}
      </div>
    </Checkbox.Group>
  );
}

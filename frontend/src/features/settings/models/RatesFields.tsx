import { NumberInput } from '@mantine/core';
import type { Rates } from './provider/provider.ts';
import classes from './models.module.css';

const FIELDS: { part: keyof Rates; label: string; text: string }[] = [
  { part: 'input', label: 'Input', text: 'what is sent' },
  { part: 'output', label: 'Output', text: 'what is answered' },
  { part: 'cached', label: 'Cached input', text: 'empty: as input' },
];

/** USD per million tokens. */
export function RatesFields({
  rates,
  onChange,
  disabled = false,
}: {
  rates: Rates;
  onChange: (rates: Rates) => void;
  disabled?: boolean;
}) {
  return (
    <div className={classes.rates}>
      {FIELDS.map(({ part, label, text }) => (
        <NumberInput
          key={part}
          label={label}
          description={text}
          min={0}
          decimalScale={12}
          hideControls
          disabled={disabled}
          value={rates[part]}
          onChange={(value) => onChange({ ...rates, [part]: String(value) })}
        />
      ))}
    </div>
  );
}

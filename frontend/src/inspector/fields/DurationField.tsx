import { DurationInput } from '../../ui/format/duration/DurationInput.tsx';
import { shortDuration } from '../../ui/format/duration/durations.ts';
import type { FieldProps } from '../form/field.ts';
import { useInputProps } from './Frame.tsx';

/** Milliseconds in words. */
export function DurationField(field: FieldProps) {
  const { schema, value, onChange } = field;
  return (
    <DurationInput
      {...useInputProps(field)}
      value={typeof value === 'number' ? value : null}
      min={schema.minimum}
      max={schema.maximum}
      required={field.required}
      placeholder={typeof schema.default === 'number' ? shortDuration(schema.default) : 'None'}
      onChange={(ms) => onChange(ms ?? undefined)}
    />
  );
}

import { Input, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { problemAt, useForm } from '../form/context.ts';
import type { FieldProps } from '../form/field.ts';
import classes from '../inspector.module.css';

/** Text in which backticks stand for code. */
export function Words({ text }: { text: string }) {
  return text.split('`').map((part, place) =>
    place % 2 === 1 ? (
      <code key={place} className={classes.code}>
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** A label with its explanation behind an icon. */
export function FieldLabel({ label, help }: { label: string; help: string | undefined }) {
  return (
    <span className={classes.label}>
      {label}
      {help ? (
        <Tooltip
          label={<Words text={help} />}
          multiline
          maw={280}
          events={{ hover: true, focus: true, touch: true }}
        >
          <span
            tabIndex={0}
            role="img"
            aria-label={help.replaceAll('`', '')}
            className={classes.info}
          >
            <IconInfoCircle size={13} stroke={1.8} />
          </span>
        </Tooltip>
      ) : null}
    </span>
  );
}

/** The problem of a field, when it has one. */
export function useFieldError(path: string): string | undefined {
  return problemAt(useForm().problems, path);
}

/** What Mantine inputs need of a field: label, error, read-only. */
export function useInputProps({ label, schema, path, required }: FieldProps) {
  const { readOnly } = useForm();
  return {
    label: <FieldLabel label={label} help={schema.description} />,
    'aria-label': label,
    error: useFieldError(path),
    withAsterisk: required,
    disabled: readOnly,
    size: 'xs' as const,
  };
}

/** Label and error around a control that brings none. */
export function Frame({ field, children }: { field: FieldProps; children: ReactNode }) {
  const { label, error, withAsterisk } = useInputProps(field);
  return (
    <Input.Wrapper
      size="xs"
      label={label}
      error={error}
      withAsterisk={withAsterisk}
      labelElement="div"
    >
      {children}
    </Input.Wrapper>
  );
}

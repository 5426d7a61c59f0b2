import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { type Points, readPoints, writePoints } from '../../../graph/conditions/points.ts';
import { useForm } from '../../form/context.ts';
import type { FieldProps } from '../../form/field.ts';
import { CodeField } from '../code/CodeField.tsx';
import { ValueNow } from '../code/ValueNow.tsx';
import { FieldLabel, useFieldError } from '../Frame.tsx';
import { Cases } from './Cases.tsx';
import classes from './points.module.css';

const none: Points = { cases: [], otherwise: 0 };

/**
 * A number by cases, or an expression. Cases are shown only for what they would write themselves, so what was typed
 * by hand stays as it is until somebody says otherwise.
 */
export default function PointsField(field: FieldProps) {
  const { readOnly } = useForm();
  const error = useFieldError(field.path);
  const value = typeof field.value === 'string' ? field.value : '';
  const [draft, setDraft] = useState({ points: none, text: '' });
  const [typing, setTyping] = useState(false);
  const stored = value === '' ? none : readPoints(value);
  const points = draft.text === value ? draft.points : (stored ?? none);
  const other = (words: string, next: boolean) =>
    readOnly ? null : (
      <Anchor component="button" type="button" size="xs" onClick={() => setTyping(next)}>
        {words}
      </Anchor>
    );
  if (typing || stored === null)
    return (
      <div className={classes.cases}>
        <CodeField {...field} language="expression" />
        {stored === null ? null : other('Choose fields and values', false)}
      </div>
    );
  const change = (next: Points) => {
    const text = writePoints(next);
    setDraft({ points: next, text });
    if (text !== value) field.onChange(text === '' ? undefined : text);
  };
  return (
    <div role="group" aria-label={field.label} className={classes.cases}>
      <FieldLabel label={field.label} help={field.schema.description} />
      <Cases points={points} onChange={change} />
      <ValueNow language="expression" text={value} />
      {error && value !== '' ? <div role="alert">{error}</div> : null}
      <div>{other('Write an expression', true)}</div>
    </div>
  );
}

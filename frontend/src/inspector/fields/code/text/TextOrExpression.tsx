import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useEditor } from '../../../../store/editor.ts';
import { useBeside } from '../../../form/beside.ts';
import { problemAt, useForm } from '../../../form/context.ts';
import type { FieldProps } from '../../../form/field.ts';
import { expressionOf, letterOf, textOf } from './asText.ts';
import { CodeField } from '../CodeField.tsx';
import classes from '../code.module.css';

type Mode = 'text' | 'expression';

/** A result as a text with values in it, or as an expression: one of two fields, and a switch that takes over what was written. */
export function TextOrExpression({ text: name, ...field }: FieldProps & { text: string }) {
  const { names, problems, readOnly } = useForm();
  const beside = useBeside();
  const [chosen, setChosen] = useState<Mode | null>(null);
  const expression = typeof field.value === 'string' ? field.value : '';
  const stored = beside?.value?.[name];
  const text = typeof stored === 'string' ? stored : '';
  const path = beside?.path ? `${beside.path}.${name}` : name;
  const mode = expression !== '' ? 'expression' : text !== '' ? 'text' : (chosen ?? 'text');
  const own = field.path.split('.').at(-1) ?? field.path;
  const change = (next: Mode) => {
    setChosen(next);
    if (next === mode || (expression === '' && text === '')) return;
    const letter = problemAt(problems, field.path) !== undefined;
    const said = letter
      ? letterOf(
          expression,
          names.map((info) => info.name),
        )
      : textOf(expression);
    beside?.setAll(
      next === 'text'
        ? { [own]: undefined, [name]: said || undefined }
        : { [own]: expressionOf(text) || undefined, [name]: undefined },
    );
    useEditor.getState().commit(next === 'text' ? 'Write a text' : 'Write an expression');
  };
  return (
    <div className={classes.either} data-field={path}>
      {mode === 'text' ? (
        <CodeField
          {...field}
          language="template"
          value={text === '' ? undefined : text}
          path={path}
          onChange={(next) => beside?.setAll({ [name]: next, [own]: undefined })}
        />
      ) : (
        <CodeField {...field} language="expression" />
      )}
      <SegmentedControl
        size="xs"
        disabled={readOnly}
        value={mode}
        aria-label={`How ${field.label.toLowerCase()} is written`}
        data={[
          { value: 'text', label: 'Text with values' },
          { value: 'expression', label: 'Expression' },
        ]}
        onChange={(next) => change(next as Mode)}
      />
    </div>
  );
}

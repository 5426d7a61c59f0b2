import { Anchor } from '@mantine/core';
import { useState } from 'react';
import type { Condition } from '../../graph/conditions/condition.ts';
import { read } from '../../graph/conditions/read.ts';
import { write } from '../../graph/conditions/write.ts';
import { ValueNow } from '../fields/code/ValueNow.tsx';
import { FieldLabel } from '../fields/Frame.tsx';
import { problemAt, useForm } from '../form/context.ts';
import { SchemaField } from '../form/SchemaForm.tsx';
import inspector from '../inspector.module.css';
import { ConditionRows } from './ConditionRows.tsx';
import classes from './wires.module.css';

interface ConditionProps {
  value: string;
  onChange: (value: string) => void;
  /** That another wire is taken in its place is said beside it, with what mends it. */
  told?: boolean;
}

const blank: Condition = { match: 'all', rows: [{ field: '', op: 'is', values: [] }] };

/**
 * When a wire is taken: rows of field, operator and value, or an expression. Rows are shown only for what they would
 * write themselves, so what was typed by hand stays as it is until somebody says otherwise.
 */
export function ConditionField({ value, onChange, told = false }: ConditionProps) {
  const { readOnly, problems } = useForm();
  const open = told ? problems.filter(({ code }) => code !== 'EdgeNeverTaken') : problems;
  const error = problemAt(open, 'condition');
  const [draft, setDraft] = useState({ rows: blank, text: '' });
  const [typing, setTyping] = useState(false);
  const stored = value === '' ? null : read(value);
  const rows = draft.text === value ? draft.rows : (stored ?? blank);
  if (typing || (value !== '' && stored === null))
    return (
      <div className={classes.ways}>
        <SchemaField
          schema={{ type: 'string', 'x-widget': 'expression' }}
          root={{}}
          value={value}
          label="Condition"
          path="condition"
          required
          onChange={(next) => onChange(typeof next === 'string' ? next : '')}
        />
        {!readOnly && (value === '' || stored !== null) ? (
          <Anchor
            component="button"
            type="button"
            size="xs"
            style={{ justifySelf: 'start' }}
            onClick={() => setTyping(false)}
          >
            Choose field and value
          </Anchor>
        ) : null}
      </div>
    );
  const change = (next: Condition) => {
    const text = write(next) || value; // a wire keeps its condition until there is another one
    setDraft({ rows: next, text });
    if (text !== value) onChange(text);
  };
  return (
    <div className={classes.ways}>
      <FieldLabel label="Condition" help={undefined} />
      <ConditionRows condition={rows} onChange={change} />
      <ValueNow language="expression" text={value} asked />
      {error && value !== '' ? (
        <div className={inspector.wrong} role="alert">
          {error}
        </div>
      ) : null}
      {readOnly ? null : (
        <Anchor
          component="button"
          type="button"
          size="xs"
          style={{ justifySelf: 'start' }}
          onClick={() => setTyping(true)}
        >
          Write an expression
        </Anchor>
      )}
    </div>
  );
}

import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { JsonSchema } from '../../api/types/types.ts';
import { asFields, isShaped, readObject } from '../../graph/fields/shape.ts';
import inspector from '../inspector.module.css';
import { FieldTable, type FieldTableProps } from './FieldTable.tsx';
import classes from './tables.module.css';

const CodeEditor = lazy(() => import('../fields/code/CodeEditor.tsx'));

const written = (schema: JsonSchema | null | undefined) =>
  schema && Object.keys(schema).length > 0 ? JSON.stringify(schema, null, 2) : '';

/** The schema as text, checked as it is typed. What is no schema stays in the field and is said, never stored. */
function SchemaText({ schema, onChange, label, readOnly }: FieldTableProps) {
  const stored = written(schema);
  const [draft, setDraft] = useState<{ from: string; text: string } | null>(null);
  const text = draft?.from === stored ? draft.text : stored;
  const read = text.trim() === '' ? { value: {} } : readObject(text);
  const shapeless = 'value' in read && !isShaped(read.value) ? read.value : null;
  const change = (next: string) => {
    const made = next.trim() === '' ? { value: {} as JsonSchema } : readObject(next);
    const good = 'value' in made && isShaped(made.value) ? made.value : null;
    setDraft({ from: good ? written(good) : stored, text: next });
    if (good) onChange(() => good);
  };
  return (
    <>
      <Suspense fallback={<Skeleton h={120} />}>
        <CodeEditor
          language="json"
          label={`${label} as JSON Schema`}
          value={text}
          names={[]}
          readOnly={readOnly}
          onChange={change}
        />
      </Suspense>
      {'wrong' in read ? (
        <div className={inspector.wrong} role="alert">
          {read.wrong}
        </div>
      ) : null}
      {shapeless ? (
        <div className={inspector.wrong} role="alert">
          These are names, not yet a schema.{' '}
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => {
              setDraft(null);
              onChange(() => asFields(shapeless), 'Make fields');
            }}
          >
            Make these fields
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** A schema as a table, and behind a tab as what it is. */
export function SchemaTabs(props: FieldTableProps) {
  const [tab, setTab] = useState('table');
  return (
    <div className={classes.tabs}>
      <SegmentedControl
        size="xs"
        aria-label={`${props.label}: table or JSON`}
        data={[
          { value: 'table', label: 'Table' },
          { value: 'json', label: 'JSON Schema' },
        ]}
        value={tab}
        onChange={setTab}
      />
      {tab === 'table' ? <FieldTable {...props} /> : <SchemaText {...props} />}
    </div>
  );
}

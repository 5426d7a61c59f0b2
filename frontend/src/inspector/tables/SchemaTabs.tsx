import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { JsonSchema } from '../../api/types/types.ts';
import { asFields, isShaped, readObject } from '../../graph/fields/shape.ts';
import inspector from '../inspector.module.css';
import { FieldTable, type FieldTableProps } from './FieldTable.tsx';
import classes from './tables.module.css';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const CodeEditor = lazyOnDemand(() => import('../fields/code/CodeEditor.tsx'));

const written = (schema: JsonSchema | null | undefined) =>
  schema && Object.keys(schema).length > 0 ? JSON.stringify(schema, null, 2) : '';

/** What is typed, and the stored text that it began from: once that is another, it is over. */
interface Draft {
  from: string;
  text: string;
}

interface SchemaTextProps extends FieldTableProps {
  draft: Draft | null;
  setDraft: (draft: Draft | null) => void;
  /** What is wrong with the stored schema: said only where no text waits that has a fault of its own. */
  wrong: string | undefined;
}

const readText = (text: string) => (text.trim() === '' ? { value: {} } : readObject(text));

/** The schema as text, checked as it is typed. What is no schema stays in the field and is said, never stored. */
function SchemaText({
  schema,
  onChange,
  label,
  readOnly,
  draft,
  setDraft,
  wrong,
}: SchemaTextProps) {
  const stored = written(schema);
  const text = draft?.from === stored ? draft.text : stored;
  const read = readText(text);
  const shapeless = 'value' in read && !isShaped(read.value) ? read.value : null;
  const good = 'value' in read && !shapeless;
  const change = (next: string) => {
    const made = readText(next);
    const shaped = 'value' in made && isShaped(made.value) ? made.value : null;
    setDraft({ from: shaped ? written(shaped) : stored, text: next });
    if (shaped) onChange(() => shaped);
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
      {good ? <Wrong words={wrong} /> : null}
    </>
  );
}

function Wrong({ words }: { words: string | undefined }) {
  return words ? <div className={inspector.wrong}>{words}</div> : null;
}

const isTaken = (text: string) => {
  const read = readText(text);
  return 'value' in read && isShaped(read.value);
};

interface SchemaTabsProps extends FieldTableProps {
  /** What is wrong with the schema, in words. */
  wrong?: string | undefined;
}

/** A schema as a table, and behind a tab as what it is; text that is no schema yet waits there. */
export function SchemaTabs({ wrong, ...props }: SchemaTabsProps) {
  const [tab, setTab] = useState('table');
  const [draft, setDraft] = useState<Draft | null>(null);
  const waits =
    draft?.from === written(props.schema) && draft.text !== draft.from && !isTaken(draft.text);
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
      {tab === 'table' ? (
        <FieldTable {...props} />
      ) : (
        <SchemaText {...props} draft={draft} setDraft={setDraft} wrong={wrong} />
      )}
      {tab === 'table' && !waits ? <Wrong words={wrong} /> : null}
      {tab === 'table' && waits ? (
        <p className={inspector.quiet} role="status">
          What you wrote under “JSON Schema” is not finished. It waits there until a field is
          changed here.
        </p>
      ) : null}
    </div>
  );
}

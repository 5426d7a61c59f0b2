import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Json } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import { problemsAt, useForm } from '../../form/context.ts';
import type { FieldProps } from '../../form/field.ts';
import classes from '../../inspector.module.css';
import { LastSent } from '../sent/LastSent.tsx';
import { Frame } from '../Frame.tsx';
import { wordsOf } from './meant/words.ts';
import { typedGrants } from './typedNames.ts';
import { ValueNow } from './ValueNow.tsx';

const CodeEditor = lazy(() => import('./CodeEditor.tsx'));
export type Language = 'template' | 'expression' | 'jsonpath' | 'json';

/** A prompt, an expression or a path, in the code editor. */
export function CodeField({
  language,
  ...field
}: FieldProps & { language: Exclude<Language, 'json'> }) {
  const { names, readOnly, allow, prompting, problems } = useForm();
  const meant = useMemo(() => wordsOf(problemsAt(problems, field.path)), [problems, field.path]);
  const text = typeof field.value === 'string' ? field.value : '';
  return (
    <Frame field={field}>
      <Suspense fallback={<Skeleton h={language === 'template' ? 84 : 30} />}>
        <CodeEditor
          language={language}
          label={field.label}
          value={text}
          names={language === 'jsonpath' && !field.schema['x-over-view'] ? [] : names}
          readOnly={readOnly}
          meant={meant}
          onChange={(next) => field.onChange(next === '' && !field.required ? undefined : next)}
          onUse={({ name, grant }) => {
            if (grant) allow?.(grant);
            useEditor.getState().commit(`Insert ${name}`);
          }}
          onTyped={(typed, cursor) => {
            if (!readOnly && allow) typedGrants(language, typed, names, cursor).forEach(allow);
          }}
        />
      </Suspense>
      {language === 'jsonpath' ? null : <ValueNow language={language} text={text} />}
      {language === 'template' && prompting ? (
        <LastSent {...prompting} path={field.path} value={field.value} />
      ) : null}
    </Frame>
  );
}

/** Any JSON as text. What is not JSON yet stays in the field and is said, never stored. */
export function JsonField(field: FieldProps) {
  const { readOnly } = useForm();
  const stored =
    field.value === undefined || field.value === null ? '' : JSON.stringify(field.value, null, 2);
  const [draft, setDraft] = useState<{ from: string; text: string; wrong: string }>({
    from: stored,
    text: stored,
    wrong: '',
  });
  const current =
    draft.from === stored || draft.wrong ? draft : { from: stored, text: stored, wrong: '' };
  const change = (text: string) => {
    const parsed = parse(text);
    setDraft({ from: parsed.wrong ? stored : written(parsed.value), text, wrong: parsed.wrong });
    if (!parsed.wrong) field.onChange(parsed.value);
  };
  return (
    <Frame field={field}>
      <Suspense fallback={<Skeleton h={64} />}>
        <CodeEditor
          language="json"
          label={field.label}
          value={current.text}
          names={[]}
          readOnly={readOnly}
          onChange={change}
        />
      </Suspense>
      {current.wrong ? <div className={classes.wrong}>{current.wrong}</div> : null}
    </Frame>
  );
}

const written = (value: Json | undefined) =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

function parse(text: string): { value: Json | undefined; wrong: string } {
  if (text.trim() === '') return { value: undefined, wrong: '' };
  try {
    return { value: JSON.parse(text) as Json, wrong: '' };
  } catch {
    return { value: undefined, wrong: 'This is no JSON yet: a quote, comma or bracket is wrong.' };
  }
}

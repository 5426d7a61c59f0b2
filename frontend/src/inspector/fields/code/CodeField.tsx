import { Skeleton } from '@mantine/core';
import { Suspense, useMemo, useState } from 'react';
import type { Json } from '../../../api/types/types.ts';
import { withoutIdleGrants } from '../../../graph/grants/idleGrants.ts';
import { tellUnread, useEditor } from '../../../store/editor.ts';
import { forgetUnread, keepUnread, unreadAt } from '../../../store/unread.ts';
import { problemsAt, useForm } from '../../form/context.ts';
import type { FieldProps } from '../../form/field.ts';
import classes from '../../inspector.module.css';
import { LastSent } from '../sent/LastSent.tsx';
import { Frame } from '../Frame.tsx';
import { wordsOf } from './meant/words.ts';
import { ListsAsText } from './text/ListsAsText.tsx';
import { typedGrants } from './typedNames.ts';
import { ValueNow } from './ValueNow.tsx';
import { lazyOnDemand } from '../../../ui/page/lazy/lazy.ts';

/** Take away what a node may read because a text named it, where this edit took its last mention away. */
function dropIdle(node: string | null): void {
  const { committed, undoStack, edit } = useEditor.getState();
  if (node === null) return;
  const history = undoStack.map(({ changes }) => changes);
  edit((now) => withoutIdleGrants(node, { before: committed, now, history }));
}

const CodeEditor = lazyOnDemand(() => import('./CodeEditor.tsx'));
export type Language = 'template' | 'expression' | 'jsonpath' | 'json';

/** A prompt, an expression or a path, in the code editor. */
export function CodeField({
  language,
  ...field
}: FieldProps & { language: Exclude<Language, 'json'> }) {
  const { names, node, readOnly, allow, prompting, problems } = useForm();
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
            dropIdle(node);
            useEditor.getState().commit(`Insert ${name}`);
          }}
          onTyped={(typed, cursor) => {
            if (readOnly || !allow) return;
            typedGrants(language, typed, names, cursor).forEach(allow);
            if (cursor === null) dropIdle(node);
          }}
        />
      </Suspense>
      {language === 'template' && !readOnly ? (
        <ListsAsText text={text} names={names} onChange={field.onChange} />
      ) : null}
      {language === 'jsonpath' ? null : <ValueNow language={language} text={text} />}
      {language === 'template' && prompting ? (
        <LastSent {...prompting} path={field.path} value={field.value} />
      ) : null}
    </Frame>
  );
}

/** Any JSON as text. What is not JSON yet is said, kept for whoever comes back, and never stored. */
export function JsonField(field: FieldProps) {
  const { readOnly, at } = useForm();
  const graph = useEditor((state) => state.graphId);
  const where = { graph, at, path: field.path };
  const stored = written(field.value);
  const left = useEditor(() => unreadAt(where)); // told with the problems
  const [draft, setDraft] = useState(
    left
      ? { from: stored, text: left.text, wrong: NO_JSON }
      : { from: stored, text: stored, wrong: '' },
  );
  const isKept = draft.wrong ? left !== undefined : draft.from === stored;
  const current = isKept ? draft : { from: stored, text: stored, wrong: '' };
  const change = (text: string) => {
    const parsed = parse(text);
    setDraft({ from: parsed.wrong ? stored : written(parsed.value), text, wrong: parsed.wrong });
    if (parsed.wrong) keepUnread({ ...where, label: field.label, text });
    else {
      forgetUnread(where);
      field.onChange(parsed.value);
    }
    tellUnread();
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

const NO_JSON = 'This is no JSON yet: a quote, comma or bracket is wrong.';

/** A text with values, or JSON with such texts: what reads as an object or a list is one, all else is text. */
export function TextOrJsonField(field: FieldProps) {
  const stored = typeof field.value === 'string' ? field.value : written(field.value);
  const [draft, setDraft] = useState({ from: stored, text: stored });
  const text = draft.from === stored ? draft.text : stored;
  const change = (next: Json | undefined) => {
    const typed = typeof next === 'string' ? next : '';
    const parsed = /^\s*[[{]/.test(typed) ? parse(typed) : { value: typed, wrong: 'text' };
    const value = parsed.wrong ? typed : parsed.value;
    setDraft({ from: typeof value === 'string' ? value : written(value), text: typed });
    field.onChange(typed === '' ? undefined : value);
  };
  const isBroken = /^\s*(\[|\{(?!\{))/.test(text) && parse(text).wrong !== '';
  return (
    <div>
      <CodeField {...field} value={text} onChange={change} language="template" />
      {isBroken ? (
        <div className={classes.help}>This is no JSON: it goes out as the text that it is.</div>
      ) : null}
    </div>
  );
}

const written = (value: Json | undefined) =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

function parse(text: string): { value: Json | undefined; wrong: string } {
  if (text.trim() === '') return { value: undefined, wrong: '' };
  try {
    return { value: JSON.parse(text) as Json, wrong: '' };
  } catch {
    return { value: undefined, wrong: NO_JSON };
  }
}

import { IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useCallback, useMemo } from 'react';
import { membersQuery } from '../api/http/lists.ts';
import { useNodeTypes } from '../api/http/queries.ts';
import type { NodeTypeInfo } from '../api/types/types.ts';
import { changedText } from '../graph/fields/words/changedText.ts';
import { fieldWords } from '../graph/fields/words/fieldWords.ts';
import { type FieldChange, type ThingChange, thingWords } from '../graph/document/semantic.ts';
import { entryWords } from '../graph/policy/entries.ts';
import type { Naming } from '../graph/policy/words.ts';
import { textDiff } from '../graph/document/text/textDiff.ts';
import classes from './ChangeList.module.css';

const glyphs = { added: IconPlus, removed: IconMinus, changed: IconPencil } as const;
const LONG = 24;

const empty = (value: unknown) => value === undefined || value === null || value === '';

/** What a value was and is: long texts word by word, everything else old beside new. */
function Value({ change: { path, before, after }, name }: { change: FieldChange; name: Naming }) {
  const long =
    typeof before === 'string' &&
    typeof after === 'string' &&
    Math.max(before.length, after.length) > LONG;
  const pieces = useMemo(() => (long ? textDiff(before, after) : []), [long, before, after]);
  const shared = pieces.some(({ kind, text }) => kind === 'same' && text.trim() !== '');
  if (long && shared) {
    return (
      <div className={classes.value}>
        {pieces.map((piece, index) =>
          piece.kind === 'same' ? (
            <Fragment key={index}>{piece.text}</Fragment>
          ) : piece.kind === 'added' ? (
            <ins key={index}>{piece.text}</ins>
          ) : (
            <del key={index}>{piece.text}</del>
          ),
        )}
      </div>
    );
  }
  return (
    <div className={classes.value}>
      {empty(before) ? null : <del>{changedText(path, before, name)}</del>}
      {!empty(before) && !empty(after) ? ' → ' : null}
      {empty(after) ? null : <ins>{changedText(path, after, name)}</ins>}
    </div>
  );
}

interface ThingProps {
  thing: ThingChange;
  type: NodeTypeInfo | undefined;
  name: Naming;
}

function Thing({ thing, type, name }: ThingProps) {
  const Glyph = glyphs[thing.change];
  const shown =
    thing.change === 'added' && thing.kind === 'node'
      ? thing.fields.filter((field) => field.path !== 'label' && field.path !== 'type')
      : thing.fields;
  return (
    <li className={classes.thing}>
      <div className={classes.head}>
        <span className={classes.mark} data-change={thing.change}>
          <Glyph size={13} stroke={2.2} role="img" aria-label={thing.change} />
        </span>
        <span className={`${classes.title} gw-truncate`}>{thing.title}</span>
        <span className={classes.kind}>
          {thingWords[thing.kind]} {thing.change}
        </span>
      </div>
      {shown.length > 0 ? (
        <div className={classes.fields}>
          {shown.map((field) => (
            <div key={field.path}>
              {thing.kind === 'setting' && field.path === thing.id ? null : (
                <div className={classes.path} title={field.path}>
                  {fieldWords(field.path, type)}
                </div>
              )}
              <Value change={field} name={name} />
            </div>
          ))}
        </div>
      ) : null}
    </li>
  );
}

/** What differs between two documents, thing by thing and field by field. */
export function ChangeList({ changes }: { changes: readonly ThingChange[] }) {
  const { data: types } = useNodeTypes();
  const { data: members } = useQuery(membersQuery);
  const name = useCallback((entry: string) => entryWords(entry, members ?? []), [members]);
  return (
    <ul className={classes.list}>
      {changes.map((thing) => (
        <Thing
          key={`${thing.kind}:${thing.id}:${thing.change}`}
          thing={thing}
          name={name}
          type={types?.find(({ type }) => type === thing.type)}
        />
      ))}
    </ul>
  );
}

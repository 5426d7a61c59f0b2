import { Button, Checkbox } from '@mantine/core';
import type { NodeDoc } from '../../api/types/types.ts';
import type { Records } from '../../graph/document/document.ts';
import { addField, setProperty } from '../../graph/fields/fields.ts';
import {
  isOptional,
  saysShape,
  withAnswers,
  withOptional,
} from '../../graph/fields/gives/answers.ts';
import { alsoGivenBy, givesOf, undescribed, withGives } from '../../graph/fields/gives/gives.ts';
import { withRecords } from '../../graph/document/diff.ts';
import { useEditor } from '../../store/editor.ts';
import { renameThroughout } from '../cures/renaming.ts';
import { useForm } from '../form/context.ts';
import { Combine } from './Combine.tsx';
import { FieldTable, type SchemaChange } from './FieldTable.tsx';
import classes from './tables.module.css';

/** Describe write keys that the workflow does not know, as text. */
const described = (records: Records, keys: readonly string[]): Records =>
  withRecords(records, [
    {
      kind: 'setting',
      id: 'state_schema',
      value: keys.reduce(
        (schema, key) => addField(schema, key),
        records.settings.state_schema ?? null,
      ),
    },
  ]);

/** Whether an answer may lack a field: then nothing is written to it. */
function MayLack({ node, name, readOnly }: { node: NodeDoc; name: string; readOnly: boolean }) {
  return (
    <Checkbox
      size="xs"
      label="May be left out"
      aria-label={`${name} may be left out`}
      checked={isOptional(node, name)}
      disabled={readOnly}
      onChange={(event) => {
        const on = event.currentTarget.checked;
        useEditor
          .getState()
          .gesture(on ? 'Let field be left out' : 'Require field', (now) =>
            withOptional(now, node.id, name, on),
          );
      }}
    />
  );
}

/** The fields that a node gives to those after it: they declare what it writes and what its answer holds. */
export function Gives({ node }: { node: NodeDoc }) {
  const records = useEditor((state) => state.records);
  const { readOnly } = useForm();
  const shaped = useEditor((state) => saysShape(state.types.get(node.type)));
  const bare = undescribed(records, node);
  const set = (change: SchemaChange, label?: string) => {
    const { gesture, edit, types } = useEditor.getState();
    const apply = (now: Records) => withAnswers(now, withGives(now, node.id, change), types);
    if (label) gesture(label, apply);
    else edit(apply);
  };
  const describe = () => {
    const { gesture, types } = useEditor.getState();
    gesture('Describe fields', (now) => withAnswers(now, described(now, bare), types));
  };
  return (
    <div className={classes.tabs} data-field="write_keys">
      <span className={classes.title}>Gives</span>
      <div data-field="gives">
        <FieldTable
          schema={givesOf(records, node)}
          onChange={set}
          label="Output fields"
          onRename={(from, to) =>
            void renameThroughout({ kind: 'field', from, to }, 'Rename field')
          }
          readOnly={readOnly}
          more={(field) => (
            <>
              {shaped ? <MayLack node={node} name={field.name} readOnly={readOnly} /> : null}
              <Combine
                field={field}
                also
                writers={alsoGivenBy(records, node.id, field.name)}
                readOnly={readOnly}
                onProperty={(edit, label) =>
                  set((schema) => setProperty(schema ?? {}, field.name, edit), label)
                }
              />
            </>
          )}
        />
      </div>
      {bare.length > 0 ? (
        <div className={classes.who}>
          Not described yet: <span className="gw-mono">{bare.join(', ')}</span>{' '}
          <Button size="compact-xs" variant="light" disabled={readOnly} onClick={describe}>
            Describe {bare.join(', ')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

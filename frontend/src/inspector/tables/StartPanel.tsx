import { Button, Switch } from '@mantine/core';
import { allActions, runAction, useRegistry } from '../../actions/registry.ts';
import type { JsonSchema } from '../../api/types/types.ts';
import { withRecords } from '../../graph/document/diff.ts';
import type { Records } from '../../graph/document/document.ts';
import { withKeyword } from '../../graph/fields/fields.ts';
import { useEditor } from '../../store/editor.ts';
import { renameThroughout } from '../cures/renaming.ts';
import { useForm } from '../form/context.ts';
import classes from '../inspector.module.css';
import type { SchemaChange } from './FieldTable.tsx';
import { SchemaTabs } from './SchemaTabs.tsx';

/** The document with other start fields; nothing else of its interface changes. */
export function withInputs(records: Records, change: SchemaChange): Records {
  const now = records.settings.interface;
  const inputs = change(now?.inputs);
  if (inputs === now?.inputs) return records;
  return withRecords(records, [{ kind: 'setting', id: 'interface', value: { ...now, inputs } }]);
}

const ADD_TRIGGER = 'triggers.add';

const setInputs = (change: SchemaChange, label?: string) => {
  const { gesture, edit } = useEditor.getState();
  const apply = (records: Records) => withInputs(records, change);
  if (label) gesture(label, apply);
  else edit(apply);
};

const open = (schema: JsonSchema, others: boolean) =>
  withKeyword(schema, 'additionalProperties', others ? undefined : false);

/** Where triggers can be added, the start offers it. */
function AddTrigger() {
  const offered = useRegistry((state) =>
    allActions(state).some(({ id, enabled }) => id === ADD_TRIGGER && enabled?.() !== false),
  );
  return offered ? (
    <Button size="xs" variant="default" onClick={() => runAction(ADD_TRIGGER)}>
      Start it by a webhook, a schedule or an event
    </Button>
  ) : null;
}

/** What a run is started with: the fields of the start. */
export function StartPanel() {
  const inputs = useEditor((state) => state.records.settings.interface?.inputs);
  const { readOnly, problems } = useForm();
  const wrong = problems.find((problem) => problem.path.startsWith('interface.inputs'));
  const declared = inputs !== undefined && Object.keys(inputs).length > 0;
  return (
    <div className={classes.sectionBody} style={{ display: 'grid', gap: 12, paddingTop: 14 }}>
      <p className={classes.help} style={{ margin: 0 }}>
        What a run is started with. Test runs, forms and the API ask for these fields.
      </p>
      <div data-field="interface.inputs">
        <SchemaTabs
          schema={inputs}
          onChange={setInputs}
          label="Start fields"
          wrong={wrong?.say ?? wrong?.message}
          readOnly={readOnly}
          closed
          required
          onRename={(from, to) =>
            void renameThroughout({ kind: 'input', from, to }, 'Rename start field')
          }
        />
      </div>
      {declared ? (
        <Switch
          size="xs"
          label="Accept other fields"
          disabled={readOnly}
          checked={inputs.additionalProperties !== false}
          onChange={(event) => {
            const others = event.currentTarget.checked;
            setInputs((now) => open(now ?? {}, others), 'Accept other fields');
          }}
        />
      ) : null}
      <AddTrigger />
    </div>
  );
}

import type { Records } from '../../graph/document/document.ts';
import { withRecords } from '../../graph/document/diff.ts';
import { setProperty } from '../../graph/fields/fields.ts';
import { withAnswers } from '../../graph/fields/gives/answers.ts';
import { memoryKeys } from '../../graph/schema/names.ts';
import { useEditor } from '../../store/editor.ts';
import { renameThroughout } from '../cures/renaming.ts';
import { useForm } from '../form/context.ts';
import { Combine } from './Combine.tsx';
import type { SchemaChange } from './FieldTable.tsx';
import { SchemaTabs } from './SchemaTabs.tsx';

function set(change: SchemaChange, label?: string): void {
  const { gesture, edit, types } = useEditor.getState();
  const apply = (records: Records) => {
    const now = records.settings.state_schema ?? null;
    const value = change(now);
    if (value === now) return records;
    const described = withRecords(records, [{ kind: 'setting', id: 'state_schema', value }]);
    return withAnswers(records, described, types);
  };
  if (label) gesture(label, apply);
  else edit(apply);
}

/** Every field of the workflow: what nodes give and read while it runs. */
export function FieldsPanel() {
  const records = useEditor((state) => state.records);
  const types = useEditor((state) => state.types);
  const { readOnly } = useForm();
  const writers = new Map(memoryKeys(records, types).map((info) => [info.key, info.writers]));
  return (
    <div data-field="state_schema">
      <SchemaTabs
        schema={records.settings.state_schema}
        onChange={set}
        label="Fields"
        onRename={(from, to) => void renameThroughout({ kind: 'field', from, to }, 'Rename field')}
        readOnly={readOnly}
        more={(field) => (
          <Combine
            field={field}
            writers={writers.get(field.name) ?? []}
            readOnly={readOnly}
            onProperty={(edit, label) =>
              set((schema) => setProperty(schema ?? {}, field.name, edit), label)
            }
          />
        )}
      />
    </div>
  );
}

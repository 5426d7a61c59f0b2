import { SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { JsonObject } from '../api/types/types.ts';
import { tidyEdge, withRecords } from '../graph/document/diff.ts';
import { type DraftEdge, START } from '../graph/document/document.ts';
import { edgeSchema } from '../graph/schema/nodeSchema.ts';
import { useEditor } from '../store/editor.ts';
import { useForm } from './form/context.ts';
import { FieldLabel } from './fields/Frame.tsx';
import { useOpenFor } from './focus.ts';
import classes from './inspector.module.css';
import { SchemaField, SchemaForm } from './form/SchemaForm.tsx';

type Guard = 'always' | 'when' | 'condition' | 'agent';

function guardOf(edge: DraftEdge): Guard {
  if (edge.trigger === 'agent') return 'agent';
  if (edge.condition) return 'condition';
  return edge.when ? 'when' : 'always';
}

const guardHelp: Record<Guard, string> = {
  always:
    'Taken whenever no other edge of this node matched. Several plain edges start parallel branches.',
  when: "Taken when the node's result names this token.",
  condition: 'Taken when the expression is true, over the whole state and the result.',
  agent: 'The agent may choose this way.',
};

/** When an edge is taken, and what it is called. */
export function EdgeInspector({ edge }: { edge: DraftEdge }) {
  const { readOnly } = useForm();
  const [chosen, setChosen] = useState<Guard | null>(null);
  const guard = chosen ?? guardOf(edge);
  useOpenFor(
    (path) => path === 'condition' && guardOf(edge) === 'always',
    () => setChosen('condition'),
  );
  const edit = (change: Partial<DraftEdge>) => {
    useEditor.getState().edit((records) => {
      const current = records.edges.get(edge.id);
      return current
        ? withRecords(records, [
            { kind: 'edge', id: edge.id, value: tidyEdge({ ...current, ...change }) },
          ])
        : records;
    });
  };
  const pick = (next: Guard) => {
    setChosen(next);
    const { gesture } = useEditor.getState();
    const { when, condition, trigger, ...bare } = edge;
    const fields = {
      always: {},
      when: when ? { when } : {},
      condition: condition ? { condition } : {},
      agent: { trigger: trigger ?? ('agent' as const) },
    }[next];
    gesture('Change when an edge is taken', (records) =>
      withRecords(records, [{ kind: 'edge', id: edge.id, value: { ...bare, ...fields } }]),
    );
  };
  if (edge.source === START)
    return (
      <div className={classes.sectionBody}>
        <p className={classes.help}>
          A run starts here. Where several edges leave the start, all of them are taken.
        </p>
      </div>
    );
  return (
    <Stack gap={12} p={14}>
      <div data-field="trigger">
        <FieldLabel label="Taken" help={undefined} />
        <SegmentedControl
          fullWidth
          mt={4}
          size="xs"
          value={guard}
          disabled={readOnly}
          aria-label="Taken"
          onChange={(value) => pick(value as Guard)}
          data={[
            { value: 'always', label: 'Always' },
            { value: 'when', label: 'Token' },
            { value: 'condition', label: 'If' },
            { value: 'agent', label: 'Agent' },
          ]}
        />
      </div>
      <p className={classes.help} style={{ margin: 0 }}>
        {guardHelp[guard]}
      </p>
      {guard === 'when' ? (
        <div data-field="when">
          <TextInput
            size="xs"
            label="Token"
            value={edge.when ?? ''}
            disabled={readOnly}
            onChange={(event) => edit({ when: event.currentTarget.value })}
          />
        </div>
      ) : null}
      {guard === 'condition' ? (
        <div data-field="condition">
          <SchemaField
            schema={{ type: 'string', 'x-widget': 'expression' }}
            root={{}}
            value={edge.condition ?? ''}
            label="Condition"
            path="condition"
            required
            onChange={(value) => edit({ condition: typeof value === 'string' ? value : null })}
          />
        </div>
      ) : null}
      <SchemaForm
        schema={edgeSchema}
        value={edge as unknown as JsonObject}
        onChange={(value) =>
          edit({ label: '', on: null, priority: 0, ...(value as unknown as Partial<DraftEdge>) })
        }
      />
    </Stack>
  );
}

import { SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EdgeOn, JsonObject } from '../../api/types/types.ts';
import { tidyEdge, withRecords } from '../../graph/document/diff.ts';
import { type DraftEdge, outgoing, START } from '../../graph/document/document.ts';
import { alike } from '../../graph/editing/alike.ts';
import { edgeSchema } from '../../graph/schema/nodeSchema.ts';
import { chooses, OTHERWISE } from '../../graph/schema/ports.ts';
import { useEditor } from '../../store/editor.ts';
import { FieldLabel } from '../fields/Frame.tsx';
import { useOpenFor } from '../focus.ts';
import { useForm } from '../form/context.ts';
import { SchemaForm } from '../form/SchemaForm.tsx';
import classes from '../inspector.module.css';
import { ConditionField } from './ConditionField.tsx';
import { Together } from './Together.tsx';

type Guard = 'always' | 'when' | 'condition' | 'agent';

function guardOf(edge: DraftEdge): Guard {
  if (edge.trigger === 'agent') return 'agent';
  if (typeof edge.condition === 'string') return 'condition';
  return edge.when ? 'when' : 'always';
}

/** When a wire of another outcome than the node's own is taken. */
const outcomeHelp: Partial<Record<EdgeOn, string>> = {
  failed: 'Taken when the step has failed for good, in place of ending the run.',
  rejected: 'Taken when somebody rejects.',
  timed_out: 'Taken when nobody has answered in time.',
};

/** What is said of a way of choosing, where the node takes the first wire that fits or all that do. */
const guardHelp: Record<Guard | 'otherwise', (all: boolean) => string> = {
  always: () => 'Taken every time. Several such wires start at once.',
  otherwise: (all) =>
    all
      ? 'Taken where none of the other wires fits, with every other Otherwise.'
      : 'Taken where none of the other wires fits.',
  when: () => 'Taken when the step itself says this word, as a router or a verifier does.',
  condition: (all) =>
    all ? 'Taken when this holds, with every other wire that fits.' : 'Taken when this holds.',
  agent: () => 'The model may choose this way.',
};

/** How the wires of a node can be chosen: by a model only where one is asked. */
function waysOf(prompts: boolean, chosen: boolean) {
  return [
    { value: 'condition', label: 'If' },
    { value: 'always', label: chosen ? OTHERWISE : 'Always' },
    { value: 'when', label: 'When it says' },
    ...(prompts ? [{ value: 'agent', label: 'Model chooses' }] : []),
  ];
}

/** When an edge is taken, and what it is called. */
export function EdgeInspector({ edge }: { edge: DraftEdge }) {
  const { readOnly } = useForm();
  const [chosen, setChosen] = useState<Guard | null>(null);
  const guard = chosen ?? guardOf(edge);
  const records = useEditor((state) => state.records);
  const types = useEditor((state) => state.types);
  const source = records.nodes.get(edge.source);
  const others = outgoing(records, edge.source).filter(({ id }) => id !== edge.id);
  const isElse = guard === 'always' && (edge.on ?? 'completed') === 'completed' && chooses(others);
  const prompts = guard === 'agent' || types.get(source?.type ?? '')?.prompts === true;
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
    gesture('Change when a wire is taken', (records) =>
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
          data={waysOf(prompts, chooses(others))}
        />
      </div>
      <p className={classes.help} style={{ margin: 0 }}>
        {(guard === 'always' && outcomeHelp[edge.on ?? 'completed']) ||
          guardHelp[isElse ? 'otherwise' : guard](source?.branching === 'all')}
      </p>
      <Together edge={edge} />
      {guard === 'when' ? (
        <div data-field="when">
          <TextInput
            size="xs"
            label="Word"
            value={edge.when ?? ''}
            disabled={readOnly}
            onChange={(event) => edit({ when: event.currentTarget.value })}
          />
        </div>
      ) : null}
      {guard === 'condition' ? (
        <div data-field="condition">
          <ConditionField
            value={edge.condition ?? ''}
            told={alike(records, edge).length > 0}
            onChange={(value) => edit({ condition: value || null })}
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

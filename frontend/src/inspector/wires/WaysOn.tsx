import { Button, SegmentedControl } from '@mantine/core';
import { IconArrowsSplit } from '@tabler/icons-react';
import { useState } from 'react';
import type { NodeDoc } from '../../api/types/types.ts';
import type { Askable } from '../../graph/conditions/askable.ts';
import { outgoing } from '../../graph/document/document.ts';
import { takeAll } from '../../graph/editing/alike.ts';
import { branchFields, branchPorts } from '../../graph/schema/branches.ts';
import { chooses } from '../../graph/schema/ports.ts';
import { useEditor } from '../../store/editor.ts';
import { useForm } from '../form/context.ts';
import classes from './wires.module.css';

/** How a node goes on: by the values of a field, and by the first wire that fits or all that do. */
export default function WaysOn({ node }: { node: NodeDoc }) {
  const records = useEditor((state) => state.records);
  const wanted = useEditor((state) => state.branchBy.get(node.id));
  const { readOnly } = useForm();
  const out = outgoing(records, node.id);
  const fields = readOnly ? [] : branchFields(records.settings, node);
  const shown = branchPorts(records.settings, out, wanted);
  const wired = (field: string) =>
    shown.some(({ id, quiet }) => !quiet && id.startsWith(`if:${field} `));
  const has = ({ field }: Askable) => field === wanted || wired(field);
  const [stays, setStays] = useState('');
  const drawn = (field: Askable) => has(field) && field.field !== wanted;
  const offer = (field: Askable) => {
    setStays(drawn(field) ? field.label : '');
    useEditor.getState().offerBranches(node.id, wanted === field.field ? null : field.field);
  };
  const offered = wanted !== undefined && shown.some(({ id }) => id.startsWith(`if:${wanted} `));
  const told = stays
    ? `Its wires ask for ${stays}: to branch no more by it, delete them.`
    : offered && !wired(wanted)
      ? 'Each value has a port now. Pull a wire from one: nothing is changed before.'
      : '';
  const choice = chooses(out) || node.branching === 'all';
  if (fields.length === 0 && !choice) return null;
  return (
    <div className={classes.ways} data-field="branching">
      {fields.length > 0 ? (
        <>
          <span className={classes.title}>Branch by</span>
          <div className={classes.chips}>
            {fields.map((field) => (
              <Button
                key={field.field}
                size="compact-xs"
                variant={has(field) ? 'filled' : 'default'}
                aria-pressed={has(field)}
                leftSection={<IconArrowsSplit size={13} />}
                onClick={() => offer(field)}
              >
                {field.label}
              </Button>
            ))}
          </div>
          {told ? (
            <p className={classes.beside} role="status">
              {told}
            </p>
          ) : null}
        </>
      ) : null}
      {choice ? (
        <>
          <span className={classes.title}>Where several wires fit</span>
          <SegmentedControl
            size="xs"
            value={node.branching ?? 'first'}
            disabled={readOnly}
            aria-label="Where several wires fit"
            onChange={(value) =>
              useEditor
                .getState()
                .gesture('Change what is taken', (now) => takeAll(now, node.id, value === 'all'))
            }
            data={[
              { value: 'first', label: 'Take the first' },
              { value: 'all', label: 'Take all that fit' },
            ]}
          />
        </>
      ) : null}
    </div>
  );
}

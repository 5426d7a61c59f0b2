import { Button, SegmentedControl } from '@mantine/core';
import { IconArrowsSplit } from '@tabler/icons-react';
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
export function WaysOn({ node }: { node: NodeDoc }) {
  const records = useEditor((state) => state.records);
  const wanted = useEditor((state) => state.branchBy.get(node.id));
  const { readOnly } = useForm();
  const out = outgoing(records, node.id);
  const fields = readOnly ? [] : branchFields(records.settings, node);
  const shown = branchPorts(records.settings, out, wanted);
  const has = ({ field }: Askable) =>
    field === wanted || shown.some(({ id, quiet }) => !quiet && id.startsWith(`if:${field} `));
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
                onClick={() =>
                  useEditor
                    .getState()
                    .offerBranches(node.id, wanted === field.field ? null : field.field)
                }
              >
                {field.label}
              </Button>
            ))}
          </div>
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

import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Trigger } from '../../api/http/runs/triggers.ts';
import { useTrigger } from './useTrigger.ts';
import { mappingOf } from './words.ts';
import classes from './triggers.module.css';

const ALL: Record<string, string> = {
  webhook: 'All of what was sent.',
  schedule: 'The due time and how many were missed.',
  event: 'All of what happened: the run with its result, the workflow, the item, the budget.',
};
const EXAMPLES: Record<string, string> = {
  webhook: 'body.data.id',
  schedule: 'body.due',
  event: 'body.run.result',
};

/** The fields of the run's input, each out of what came in; the last delivery stands beside. */
export function Mapping({ trigger, canEdit }: { trigger: Trigger; canEdit: boolean }) {
  const { change, isPending } = useTrigger(trigger);
  const [rows, setRows] = useState<[string, string][]>(() => Object.entries(trigger.mapping));
  const wanted = mappingOf(rows);
  const changed = JSON.stringify(wanted) !== JSON.stringify(trigger.mapping);
  const set = (at: number, place: 0 | 1, text: string) =>
    setRows(
      rows.map((row, each): [string, string] => {
        if (each !== at) return row;
        return place === 0 ? [text, row[1]] : [row[0], text];
      }),
    );
  return (
    <div className={classes.mapping}>
      <h3>What the run starts with</h3>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {ALL[trigger.kind] ?? ALL['webhook']}
          {canEdit ? ' Name fields to pick from it.' : null}
        </Text>
      ) : null}
      {rows.map(([name, text], at) => (
        <div key={at} className={classes.field}>
          <TextInput
            aria-label="Field"
            placeholder="order"
            value={name}
            readOnly={!canEdit}
            onChange={(event) => set(at, 0, event.currentTarget.value)}
          />
          <TextInput
            aria-label={`Expression of ${name || 'the field'}`}
            placeholder={EXAMPLES[trigger.kind] ?? EXAMPLES['webhook']}
            classNames={{ input: 'gw-mono' }}
            value={text}
            readOnly={!canEdit}
            onChange={(event) => set(at, 1, event.currentTarget.value)}
          />
          {canEdit ? (
            <ActionIcon
              aria-label={`Leave ${name || 'the field'} out`}
              onClick={() => setRows(rows.filter((_, each) => each !== at))}
            >
              <IconX size={16} />
            </ActionIcon>
          ) : null}
        </div>
      ))}
      {canEdit ? (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => setRows([...rows, ['', '']])}
          >
            Add a field
          </Button>
          {changed ? (
            <Button size="xs" loading={isPending} onClick={() => change({ mapping: wanted })}>
              Save the fields
            </Button>
          ) : null}
        </Group>
      ) : null}
    </div>
  );
}

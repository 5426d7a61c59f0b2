import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { InterruptFilter } from '../../../../api/http/lists.ts';
import { triggersQuery } from '../../../../api/http/runs/triggers.ts';
import type { Interrupt } from '../../../../api/types/types.ts';
import { type Choice, narrowedTo, startedBy, triggersIn } from './starters.ts';

interface StartedByProps {
  filter: InterruptFilter;
  change: (next: Record<string, string | null>) => void;
  rows: readonly Interrupt[];
  people: Choice[];
}

/** Narrows the list to what one person, or one trigger, started. */
export function StartedBy({ filter, change, rows, people }: StartedByProps) {
  const { data: known = [] } = useQuery({
    ...triggersQuery(filter.graph ?? ''),
    enabled: filter.graph !== undefined,
  });
  const triggers = triggersIn(rows, known, filter.trigger);
  const data =
    triggers.length === 0
      ? people
      : [
          { group: 'Triggers', items: triggers },
          { group: 'People', items: people },
        ];
  return (
    <Select
      size="xs"
      clearable
      searchable
      aria-label="Started by"
      placeholder="Started by anybody"
      data={data}
      value={startedBy(filter)}
      onChange={(choice) => change(narrowedTo(choice))}
    />
  );
}

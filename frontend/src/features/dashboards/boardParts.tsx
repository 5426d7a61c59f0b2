import { Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { BoardFilter } from '../../api/http/boards.ts';
import { graphsQuery } from '../../api/http/queries.ts';
import { CsvButton } from '../../ui/CsvButton.tsx';
import { MOST_DAYS, RANGES } from './range/range.ts';
import { RangePicker } from './range/RangePicker.tsx';
import own from './spend/spend.module.css';

type Change = (part: Partial<Record<'hours' | 'since' | 'until' | 'graph', string | null>>) => void;

/** The stretch of time and the workflow that a board is about; they stand in the address. */
export function useBoardFilter(): [BoardFilter, Change] {
  const [params, setParams] = useSearchParams();
  const [graph, since, until] = ['graph', 'since', 'until'].map((name) => params.get(name));
  const hours = RANGES.find((range) => range.value === params.get('hours'))?.value ?? '24';
  const stretch = since && until ? { since, until } : { hours };
  const change: Change = (part) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(part)) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  return [{ ...stretch, ...(graph ? { graph } : {}) }, change];
}

interface ControlsProps {
  board: 'operations' | 'approvals';
  filter: BoardFilter;
  change: Change;
}

/** Range, workflow, and the numbers as a file. */
export function BoardControls({ board, filter, change }: ControlsProps) {
  const { data: graphs } = useQuery(graphsQuery());
  return (
    <div className={own.controls}>
      <Group gap={8} flex="1 1 0" className={own.choices}>
        <RangePicker
          ranges={RANGES}
          value={filter.hours ?? null}
          since={filter.since}
          until={filter.until}
          most={MOST_DAYS.board}
          onRange={(hours) => change({ hours, since: null, until: null })}
          onDays={(since, until) => change({ since, until, hours: null })}
        />
        <Select
          className={own.pick}
          aria-label="Workflow"
          placeholder="All workflows"
          clearable
          searchable
          data={(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name }))}
          value={filter.graph ?? null}
          onChange={(graph) => change({ graph })}
        />
      </Group>
      <CsvButton path={board} query={{ ...filter }} />
    </div>
  );
}

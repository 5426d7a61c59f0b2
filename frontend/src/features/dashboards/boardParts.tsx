import { Button, Group, Select, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { BoardFilter } from '../../api/http/boards.ts';
import { graphsQuery, useSession } from '../../api/http/queries.ts';
import type { RunStatus } from '../../api/types/types.ts';
import { StatusIcon } from '../../ui/StatusBadge.tsx';
import classes from './dashboard.module.css';
import own from './spend.module.css';

const RANGES = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

/** The stretch of time and the workflow that a board is about; they stand in the address. */
export function useBoardFilter(): [
  BoardFilter,
  (part: Partial<Record<'hours' | 'graph', string | null>>) => void,
] {
  const [params, setParams] = useSearchParams();
  const hours = RANGES.find((range) => range.value === params.get('hours'))?.value ?? '24';
  const graph = params.get('graph');
  const change = (part: Partial<Record<'hours' | 'graph', string | null>>) =>
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
  return [{ hours, ...(graph ? { graph } : {}) }, change];
}

interface ControlsProps {
  board: 'operations' | 'approvals';
  filter: BoardFilter;
  change: ReturnType<typeof useBoardFilter>[1];
}

/** Range, workflow, and the numbers as a file. */
export function BoardControls({ board, filter, change }: ControlsProps) {
  const { data: session } = useSession();
  const { data: graphs } = useQuery(graphsQuery());
  const query = new URLSearchParams({
    ...filter,
    format: 'csv',
    workspace: session?.workspace?.id ?? '',
  });
  return (
    <div className={own.controls}>
      <Group gap={8} flex="1 1 0">
        <SegmentedControl
          value={filter.hours}
          onChange={(hours) => change({ hours })}
          aria-label="Range"
          data={RANGES}
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
      <Button
        component="a"
        href={`/api/${board}/?${query.toString()}`}
        download
        variant="default"
        leftSection={<IconDownload size={16} />}
      >
        CSV
      </Button>
    </div>
  );
}

/** The length of a range in words. */
export const rangeName = (hours: string) =>
  RANGES.find((range) => range.value === hours)?.label ?? `${hours} hours`;

interface TileProps {
  label: string;
  value: ReactNode;
  to?: string | undefined;
  status?: RunStatus;
  note?: string | undefined;
}

/** One number; where a list is behind it, it leads there. */
export function Tile({ label, value, to, status, note }: TileProps) {
  const inside = (
    <>
      <span>
        {status ? <StatusIcon status={status} /> : null}
        {label}
      </span>
      <b>{value}</b>
      {note ? <small>{note}</small> : null}
    </>
  );
  return to ? (
    <Link to={to} className={classes.tile}>
      {inside}
    </Link>
  ) : (
    <div className={classes.tile}>{inside}</div>
  );
}

/** How a number compares with the stretch before; nothing where either is unknown. */
export function against(
  now: number | null,
  before: number | null,
  show: (value: number) => string,
): string | undefined {
  if (before === null) return undefined;
  return now === before ? 'as before' : `${show(before)} before`;
}

export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 1000) / 10} %`;

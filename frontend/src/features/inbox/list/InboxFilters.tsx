import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type InterruptFilter, membersQuery } from '../../../api/http/lists.ts';
import { graphsQuery } from '../../../api/http/queries.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import classes from '../inbox.module.css';
import { StartedBy } from '../item/origin/StartedBy.tsx';
import { FieldFilter } from './byField/FieldFilter.tsx';
import type { HeadProps } from './InboxHead.tsx';

/** Kinds by what is chosen: both of `approval` are one kind, and differ by what is approved. */
const kinds = [
  { value: 'approval', label: 'Approvals and tool calls' },
  { value: 'approval human_review', label: 'Approvals' },
  { value: 'approval tool_call', label: 'Tool calls' },
  { value: 'text', label: 'Questions' },
  { value: 'choice', label: 'Choices' },
  { value: 'form', label: 'Forms' },
  { value: 'budget', label: 'Budgets' },
  { value: 'in_doubt', label: 'In doubt' },
];
const ages = [
  { value: '1', label: 'Over an hour' },
  { value: '24', label: 'Over a day' },
  { value: '168', label: 'Over a week' },
];
const outcomes = [
  { value: 'approved', label: 'Approved' },
  { value: 'edited', label: 'Approved with edits' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'expired', label: 'Not decided in time' },
];
const costs = [
  { value: '0.10', label: 'From $0.10' },
  { value: '1', label: 'From $1' },
  { value: '10', label: 'From $10' },
];

interface Choice {
  value: string;
  label: string;
}

/** Steps of what is listed, by name; the one that is chosen also when nothing of it is left. */
function stepsOf(rows: readonly Interrupt[], chosen: string | undefined): Choice[] {
  const found = new Map(rows.map((item) => [item.node, item.node_label]));
  if (chosen !== undefined && !found.has(chosen)) found.set(chosen, chosen);
  return [...found].map(([value, label]) => ({ value, label }));
}

const kindOf = ({ kind, approval_type: type }: InterruptFilter): string | null =>
  type === undefined ? (kind ?? null) : `approval ${type}`;

function usePeople(): { people: Choice[]; asked: { group: string; items: Choice[] }[] } {
  const { data: members = [] } = useQuery(membersQuery);
  const people = members.map(({ user }) => ({ value: user.id, label: user.name }));
  const groups = [...new Set(members.flatMap((member) => member.groups))].toSorted();
  return {
    people,
    asked: [
      { group: 'Groups', items: groups.map((name) => ({ value: `group:${name}`, label: name })) },
      {
        group: 'People',
        items: people.map(({ value, label }) => ({ value: `user:${value}`, label })),
      },
    ],
  };
}

/** What the list is narrowed to beside its views. */
export function InboxFilters({ filter, change, rows }: HeadProps & { rows: readonly Interrupt[] }) {
  const { data: graphs = [] } = useQuery(graphsQuery());
  const { people, asked } = usePeople();
  const common = { size: 'xs', clearable: true } as const;
  return (
    <div className={classes.filters}>
      <Select
        {...common}
        aria-label="Kind"
        placeholder="Any kind"
        data={kinds}
        value={kindOf(filter)}
        onChange={(chosen) => {
          const [kind, type] = chosen?.split(' ') ?? [];
          change({ kind: kind ?? null, approval_type: type ?? null });
        }}
      />
      {filter.state === 'done' ? (
        <>
          <Select
            {...common}
            aria-label="Decision"
            placeholder="Whatever was decided"
            data={outcomes}
            value={filter.outcome ?? null}
            onChange={(outcome) => change({ outcome })}
          />
          <Select
            {...common}
            searchable
            aria-label="Decided by"
            placeholder="Decided by anybody"
            data={people}
            value={filter.decided_by ?? null}
            onChange={(person) => change({ decided_by: person })}
          />
        </>
      ) : null}
      <Select
        {...common}
        searchable
        aria-label="Workflow"
        placeholder="Any workflow"
        data={graphs.map((graph) => ({ value: graph.id, label: graph.name }))}
        value={filter.graph ?? null}
        onChange={(graph) => change({ graph })}
      />
      <Select
        {...common}
        searchable
        aria-label="Step"
        placeholder="Any step"
        data={stepsOf(rows, filter.node)}
        value={filter.node ?? null}
        onChange={(node) => change({ node })}
      />
      <Select
        {...common}
        searchable
        aria-label="Asked"
        placeholder="Whoever is asked"
        data={asked}
        value={filter.asked ?? null}
        onChange={(who) => change({ asked: who })}
      />
      <StartedBy filter={filter} change={change} rows={rows} people={people} />
      <Select
        {...common}
        aria-label="Age"
        placeholder="Any age"
        data={ages}
        value={filter.min_age_hours ?? null}
        onChange={(age) => change({ min_age_hours: age })}
      />
      <Select
        {...common}
        aria-label="Cost of the run"
        placeholder="Any cost"
        data={costs}
        value={filter.min_cost_usd ?? null}
        onChange={(cost) => change({ min_cost_usd: cost })}
      />
      <FieldFilter filter={filter} change={change} />
    </div>
  );
}

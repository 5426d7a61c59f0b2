import { Button, SegmentedControl, Select, Title } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  type InboxView,
  type InterruptFilter,
  inboxViews,
  narrowing,
} from '../../../api/http/lists.ts';
import { graphsQuery } from '../../../api/http/queries.ts';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import classes from '../inbox.module.css';
import standing from '../item/item.module.css';

const kinds = [
  { value: 'approval', label: 'Approvals' },
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
const costs = [
  { value: '0.10', label: 'From $0.10' },
  { value: '1', label: 'From $1' },
  { value: '10', label: 'From $10' },
];

const views: Record<InboxView, string> = {
  mine: 'Mine',
  groups: 'Groups',
  claimed: 'Claimed',
  overdue: 'Overdue',
  snoozed: 'Snoozed',
};

const emptyViews: Record<InboxView, string> = {
  mine: 'Nobody asks for you in person',
  groups: 'Nothing waits for your groups',
  claimed: 'You have claimed nothing',
  overdue: 'Nothing is overdue',
  snoozed: 'Nothing is snoozed',
};

interface HeadProps {
  filter: InterruptFilter;
  change: (part: Record<string, string | null>) => void;
}
interface InboxHeadProps extends HeadProps {
  total: string;
}

function Views({ filter, change }: HeadProps) {
  return (
    <div className={standing.views} role="group" aria-label="Views">
      <button
        type="button"
        aria-pressed={filter.view === undefined}
        onClick={() => change({ view: null })}
      >
        All
      </button>
      {inboxViews.map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={filter.view === view}
          onClick={() => change({ view })}
        >
          {views[view]}
        </button>
      ))}
    </div>
  );
}

/** Open or done, which of them, and of what. */
export function InboxHead({ filter, change, total }: InboxHeadProps) {
  const { data: graphs } = useQuery(graphsQuery());
  return (
    <header className={classes.sideHead}>
      <Title order={1}>
        Inbox{total && total !== '0' ? <span className={classes.total}>{total}</span> : null}
      </Title>
      <SegmentedControl
        fullWidth
        value={filter.state}
        data={[
          { value: 'open', label: 'Open' },
          { value: 'done', label: 'Done' },
        ]}
        aria-label="Open or done"
        onChange={(state) => change({ state: state === 'done' ? 'done' : null, view: null })}
      />
      {filter.state === 'open' ? <Views filter={filter} change={change} /> : null}
      <div className={classes.filters}>
        <Select
          size="xs"
          aria-label="Kind"
          placeholder="Any kind"
          clearable
          data={kinds}
          value={filter.kind ?? null}
          onChange={(kind) => change({ kind })}
        />
        <Select
          size="xs"
          aria-label="Workflow"
          placeholder="Any workflow"
          clearable
          searchable
          data={(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name }))}
          value={filter.graph ?? null}
          onChange={(graph) => change({ graph })}
        />
        <Select
          size="xs"
          aria-label="Age"
          placeholder="Any age"
          clearable
          data={ages}
          value={filter.min_age_hours ?? null}
          onChange={(age) => change({ min_age_hours: age })}
        />
        <Select
          size="xs"
          aria-label="Cost of the run"
          placeholder="Any cost"
          clearable
          data={costs}
          value={filter.min_cost_usd ?? null}
          onChange={(cost) => change({ min_cost_usd: cost })}
        />
      </div>
    </header>
  );
}

/** Why the list is empty, and the way on. */
export function NothingHere({ filter, clear }: { filter: InterruptFilter; clear: () => void }) {
  const narrowed = narrowing.some((name) => filter[name] !== undefined);
  if (filter.view && !narrowed)
    return (
      <EmptyState
        icon={IconInbox}
        title={emptyViews[filter.view]}
        action={
          <Button variant="default" onClick={clear}>
            Show all
          </Button>
        }
      />
    );
  if (narrowed)
    return (
      <EmptyState
        icon={IconInbox}
        title="Nothing matches"
        action={
          <Button variant="default" onClick={clear}>
            Clear the filters
          </Button>
        }
      />
    );
  if (filter.state === 'done')
    return (
      <EmptyState
        icon={IconInbox}
        title="Nothing decided yet"
        text="Decisions stay here, with who made them and when."
      />
    );
  return (
    <EmptyState
      icon={IconInbox}
      title="Nothing waits for you"
      text="Runs that need a person appear here by themselves."
      action={
        <Button component={Link} to="/runs" variant="default">
          Look at runs
        </Button>
      }
    />
  );
}

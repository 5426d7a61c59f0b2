import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { runsQuery, totalOf } from '../../api/http/lists.ts';
import { graphsQuery } from '../../api/http/queries.ts';
import type { RunStatus } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import classes from '../../ui/page/pages.module.css';
import { useNow } from '../../ui/format/useNow.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { useSaidText } from '../../ui/page/useSaidText.ts';
import { ListFrame } from '../../ui/table/ListFrame.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { statusLook } from '../../ui/status.ts';
import { CsvButton } from '../../ui/CsvButton.tsx';
import { CauseHead } from './causes/CauseHead.tsx';
import { Chips } from './list/Chips.tsx';
import { ColumnMenu } from './list/ColumnMenu.tsx';
import { columns } from './list/columns.tsx';
import {
  type ChoiceChange,
  choiceNames,
  filterOf,
  type RunChoice,
  NEWEST,
  chooseStatus,
  chosenStatus,
  useRunChoice,
} from './list/runChoice.ts';
import { RunsTabs } from './list/RunsTabs.tsx';
import { RunTable } from './list/RunTable.tsx';
import { useColumns } from './list/useColumns.ts';

const statuses: (RunStatus | 'asleep' | 'rejected')[] = [
  'running',
  'asleep',
  'waiting',
  'queued',
  'ending',
  'completed',
  'failed',
  'timeout',
  'rejected',
  'cancelled',
];
const ages = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];

/** Every run of the workspace, newest first, live. */
export default function RunsPage() {
  const [choice, change] = useRunChoice();
  useBell('runs', 'runs');
  const now = useNow(true, 60_000);
  const filter = useMemo(() => filterOf(choice, now), [choice, now]);
  const list = useInfiniteQuery({ ...runsQuery(filter), placeholderData: (before) => before });
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.results) ?? [], [list.data]);
  const [shown, toggle] = useColumns();
  const [clears, setClears] = useState(0);
  const clear = () => {
    change(Object.fromEntries(choiceNames.map((name) => [name, null])));
    setClears(clears + 1);
  };
  return (
    <div className={classes.page}>
      <PageHeader title="Runs">
        <ColumnMenu columns={columns} shown={shown} toggle={toggle} />
        <CsvButton path="runs" query={{ ...filter }} title="The first 10,000 of these runs" />
        <RunsTabs at="/runs" />
      </PageHeader>
      <Filters key={clears} choice={choice} change={change} />
      <Chips choice={choice} change={change} />
      <div className={classes.body}>
        {choice.cause && !choice.cause.includes(',') ? <CauseHead id={choice.cause} /> : null}
        <ListFrame
          list={list}
          awaited={10}
          more={choice.ordering === NEWEST ? 'Show earlier runs' : 'Show more'}
          none={<NoRuns filtered={choiceNames.some((name) => choice[name])} clear={clear} />}
        >
          <RunTable
            rows={rows}
            shown={shown}
            filter={filter}
            choice={choice}
            total={totalOf(list.data?.pages)}
            hasMore={list.hasNextPage}
            sorting={{ ordering: choice.ordering, onOrder: (ordering) => change({ ordering }) }}
          />
        </ListFrame>
      </div>
    </div>
  );
}

function Filters({ choice, change }: { choice: RunChoice; change: (part: ChoiceChange) => void }) {
  const { data: graphs } = useQuery(graphsQuery());
  const [text, setText, sent] = useSaidText(choice.search ?? '');
  const search = useDebouncedCallback((words: string) => {
    sent(words);
    change({ search: words });
  }, 250);
  return (
    <div className={classes.filters} role="search">
      <TextInput
        leftSection={<IconSearch size={15} />}
        placeholder="Search id, workflow, input, output, error"
        aria-label="Search runs"
        title="Words, or how they begin, in the first 4,000 characters each of input, output and error; the workflow’s name; the beginning of an id"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <Select
        aria-label="Workflow"
        placeholder="Any workflow"
        clearable
        searchable
        data={(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name }))}
        value={choice.graph ?? null}
        onChange={(graph) => change({ graph })}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={statuses.map((status) => ({ value: status, label: statusLook(status).label }))}
        value={chosenStatus(choice)}
        onChange={(status) => change({ ...chooseStatus(status), awake: null })}
      />
      <Select
        aria-label="Time"
        placeholder="Any time"
        clearable
        data={ages}
        value={choice.hours ?? null}
        onChange={(hours) => change({ hours })}
      />
    </div>
  );
}

function NoRuns({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  if (filtered)
    return (
      <EmptyState
        icon={IconPlayerPlay}
        title="No run matches"
        action={
          <Button variant="default" onClick={clear}>
            Clear the filters
          </Button>
        }
      />
    );
  return (
    <EmptyState
      icon={IconPlayerPlay}
      title="No runs yet"
      text="Open a workflow and press Test run, or start one through the API."
      action={
        <Button component={Link} to="/workflows">
          Go to workflows
        </Button>
      }
    />
  );
}

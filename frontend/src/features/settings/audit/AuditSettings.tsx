import { Alert, Anchor, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconDownload, IconSearch, IconShieldCheck } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import {
  auditQuery,
  type AuditEntry,
  type AuditFilter,
  type Verification,
} from '../../../api/http/workspace/people/access.ts';
import { api, messageOf } from '../../../api/http/client.ts';
import { membersQuery } from '../../../api/http/lists.ts';
import { useSession } from '../../../api/http/queries.ts';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { ListFrame } from '../../../ui/table/ListFrame.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ACTION_KINDS, actorName, entryPlace, subjectName } from './entries.ts';
import { EntryDetails } from './EntryDetails.tsx';
import { particulars, partsOf } from './particulars.ts';
import classes from '../settings.module.css';
import { SettingsSection } from '../SettingsSection.tsx';

/** What people did here, and whether anybody changed the record of it. */
export function AuditSettings() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [actor, setActor] = useState<string | null>(null);
  const [action, setAction] = useState<string | null>(null);
  const [days, setDays] = useState<Days>({ first: '', last: '' });
  const { data: session } = useSession();
  const { data: members } = useQuery(membersQuery);
  const filter: AuditFilter = {
    ...(search ? { search } : {}),
    ...(actor ? { actor } : {}),
    ...(action ? { action } : {}),
    ...momentsOf(days),
  };
  const list = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData });
  const entries = list.data?.pages.flatMap((page) => page.results) ?? [];
  const clear = () => {
    setTyped('');
    setActor(null);
    setAction(null);
    setDays({ first: '', last: '' });
  };
  const file = new URLSearchParams({
    ...filter,
    format: 'csv',
    workspace: session?.workspace?.id ?? '',
  });
  return (
    <SettingsSection
      title="Audit log"
      text="Every entry is chained to the one before by a hash, so that a change of the past shows."
      action={<Verify />}
    >
      <Group gap={8} mb="sm" align="end" role="search">
        <TextInput
          flex="1 1 150px"
          maw={340}
          leftSection={<IconSearch size={15} />}
          placeholder="Search"
          aria-label="Search the audit log"
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          w={150}
          aria-label="Person"
          placeholder="Anybody"
          clearable
          searchable
          data={(members ?? []).map((member) => ({
            value: member.user.id,
            label: member.user.name,
          }))}
          value={actor}
          onChange={setActor}
        />
        <Select
          w={160}
          aria-label="Kind of action"
          placeholder="Any action"
          clearable
          searchable
          data={ACTION_KINDS}
          value={action}
          onChange={setAction}
        />
        <Group gap={8} wrap="nowrap">
          <TextInput
            type="date"
            label="From"
            w={136}
            value={days.first}
            onChange={(event) => setDays({ ...days, first: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label="To"
            w={136}
            value={days.last}
            onChange={(event) => setDays({ ...days, last: event.currentTarget.value })}
          />
        </Group>
        <Button
          component="a"
          href={`/api/audit/?${file.toString()}`}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          CSV
        </Button>
      </Group>
      <ListFrame
        list={list}
        awaited={8}
        more="Show earlier entries"
        none={
          <EmptyState
            icon={IconShieldCheck}
            title="No entry matches"
            action={
              <Button variant="default" onClick={clear}>
                Clear the filters
              </Button>
            }
          />
        }
      >
        {entries.length > 0 ? (
          <DataTable
            label="Audit log"
            rows={entries}
            columns={COLUMNS}
            keyOf={(entry) => String(entry.n)}
          />
        ) : null}
      </ListFrame>
    </SettingsSection>
  );
}

interface Days {
  first: string;
  last: string;
}

/** Whole days of the reader's own clock as moments. */
function momentsOf({ first, last }: Days): Pick<AuditFilter, 'since' | 'until'> {
  const at = (day: string, days: number) => {
    const moment = new Date(`${day}T00:00:00`);
    moment.setDate(moment.getDate() + days);
    return moment.toISOString();
  };
  return { ...(first ? { since: at(first, 0) } : {}), ...(last ? { until: at(last, 1) } : {}) };
}

function Subject({ entry }: { entry: AuditEntry }) {
  const place = entryPlace(entry);
  const name = subjectName(entry);
  return (
    <span className={classes.target} title={entry.target}>
      {place ? (
        <Anchor component={Link} to={place} inherit>
          {name}
        </Anchor>
      ) : (
        name
      )}
    </span>
  );
}

/** The particulars in a line; what has a page leads there. */
function Particulars({ entry }: { entry: AuditEntry }) {
  return partsOf(entry.detail, entry.names).map(({ text, to }, place) => (
    <Fragment key={text}>
      {place > 0 ? ' · ' : ''}
      {to ? (
        <Anchor component={Link} to={to} inherit>
          {text}
        </Anchor>
      ) : (
        text
      )}
    </Fragment>
  ));
}

const COLUMNS: Column<AuditEntry>[] = [
  {
    id: 'action',
    label: 'Action',
    width: 'min(165px, 24vw)',
    cell: (entry) => <EntryDetails entry={entry} />,
  },
  {
    id: 'target',
    label: 'Of',
    width: 'min(190px, 28vw)',
    cell: (entry) => <Subject entry={entry} />,
  },
  {
    id: 'actor',
    label: 'By',
    width: 'min(110px, 21vw)',
    cell: (entry) => <span className={classes.particulars}>{actorName(entry)}</span>,
  },
  {
    id: 'detail',
    label: 'Particulars',
    wide: true,
    cell: (entry) => (
      <span className={classes.particulars} title={particulars(entry.detail, entry.names)}>
        <Particulars entry={entry} />
      </span>
    ),
  },
  {
    id: 'at',
    label: 'When',
    width: 'min(110px, 21vw)',
    cell: (entry) => (
      <span className={classes.particulars}>
        <RelativeTime at={entry.at} />
      </span>
    ),
  },
];

function Verify() {
  const check = useMutation({ mutationFn: () => api.get<Verification>('audit/verification/') });
  const broken = check.data?.first_broken ?? null;
  return (
    <div className={classes.verify} aria-live="polite">
      {check.error ? (
        <Text c="red" size="sm">
          {messageOf(check.error)}
        </Text>
      ) : null}
      {check.data && broken === null ? (
        <Text size="sm" c="var(--gw-green)" fw={500}>
          <IconShieldCheck size={15} aria-hidden /> {check.data.entries.toLocaleString('en')}{' '}
          entries, none changed
        </Text>
      ) : null}
      {broken === null ? null : (
        <Alert color="red" py={6} icon={<IconAlertTriangle size={16} />}>
          Entry {broken} was changed or removed.
        </Alert>
      )}
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
        Verify
      </Button>
    </div>
  );
}

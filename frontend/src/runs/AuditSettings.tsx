import { Alert, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconSearch, IconShieldCheck } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditQuery, type Deed, type Verification } from '../api/access.ts';
import { api, messageOf } from '../api/client.ts';
import { membersQuery } from '../api/lists.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { ListSkeleton } from '../ui/Skeletons.tsx';
import pages from './pages.module.css';
import classes from './settings.module.css';
import { SettingsSection } from './SettingsSection.tsx';

const ID = /^[0-9a-f-]{32,36}$/;

/** `agent.created` → Agent created. */
export function deedName(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function plainValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(', ') : JSON.stringify(value);
}

/** The particulars of a deed in one line; what was not set is left out. */
export function particulars(detail: Deed['detail']): string {
  return Object.entries(detail).filter(([, value]) => value !== null).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${plainValue(value)}`).join(' · ');
}

/** What people did here, and whether anybody changed the record of it. */
export function AuditSettings() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [actor, setActor] = useState<string | null>(null);
  const { data: members } = useQuery(membersQuery);
  const list = useInfiniteQuery({ ...auditQuery({ ...(search ? { search } : {}), ...(actor ? { actor } : {}) }), placeholderData: keepPreviousData });
  const deeds = list.data?.pages.flatMap((page) => page.results) ?? [];
  const named = new Map(members?.map((member) => [member.user.id, member.user.name]));
  return (
    <SettingsSection title="Audit log" text="Every entry is chained to the one before by a hash, so that a change of the past shows." action={<Verify />}>
      <Group gap={8} mb="sm" role="search">
        <TextInput flex="1 1 220px" maw={340} leftSection={<IconSearch size={15} />} placeholder="Search deeds" aria-label="Search deeds" maxLength={200} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        <Select w={190} aria-label="Person" placeholder="Anybody" clearable searchable data={(members ?? []).map((member) => ({ value: member.user.id, label: member.user.name }))} value={actor} onChange={setActor} />
      </Group>
      {list.isPending ? <ListSkeleton rows={8} /> : null}
      {list.isError ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isSuccess && deeds.length === 0 ? <EmptyState icon={IconShieldCheck} title="No deed matches" action={<Button variant="default" onClick={() => { setTyped(''); setActor(null); }}>Clear the filters</Button>} /> : null}
      {deeds.length > 0 ? <DataTable label="Deeds" rows={deeds} columns={columnsOf(named)} keyOf={(deed) => String(deed.n)} /> : null}
      {list.hasNextPage ? <Button variant="subtle" mt="sm" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>Show earlier deeds</Button> : null}
    </SettingsSection>
  );
}

function columnsOf(named: ReadonlyMap<string, string>): Column<Deed>[] {
  const target = (deed: Deed) => named.get(deed.target) ?? (ID.test(deed.target) ? deed.target.slice(0, 8) : deed.target);
  return [
    { id: 'action', label: 'Deed', width: 170, cell: (deed) => deedName(deed.action) },
    { id: 'target', label: 'Of', width: 150, cell: (deed) => <span className={classes.target} title={deed.target}>{target(deed)}</span> },
    { id: 'actor', label: 'By', width: 120, cell: (deed) => <span className={pages.dim}>{deed.actor?.name ?? 'the system'}</span> },
    { id: 'detail', label: 'Particulars', wide: true, cell: (deed) => <span className={classes.particulars} title={particulars(deed.detail)}>{particulars(deed.detail)}</span> },
    { id: 'at', label: 'When', width: 110, cell: (deed) => <span className={pages.dim}><RelativeTime at={deed.at} /></span> },
  ];
}

function Verify() {
  const check = useMutation({ mutationFn: () => api.get<Verification>('audit/verification/') });
  const broken = check.data?.first_broken ?? null;
  return (
    <div className={classes.verify} aria-live="polite">
      {check.error ? <Text c="red" size="sm">{messageOf(check.error)}</Text> : null}
      {check.data && broken === null ? <Text size="sm" c="var(--gw-green)" fw={500}><IconShieldCheck size={15} aria-hidden /> {check.data.entries} entries, none changed</Text> : null}
      {broken === null ? null : <Alert color="red" py={6} icon={<IconAlertTriangle size={16} />}>Entry {broken} was changed or removed.</Alert>}
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>Verify</Button>
    </div>
  );
}

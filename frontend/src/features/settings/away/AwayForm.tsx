import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, api, messageOf } from '../../../api/http/client.ts';
import { membersQuery } from '../../../api/http/lists.ts';
import { type StandIn, standInsQuery } from '../../../api/http/workspace/people/standIns.ts';
import type { Member, Person } from '../../../api/types/types.ts';
import { dayIn } from '../../../ui/format/days.ts';
import { roleLabel } from '../../../ui/roles.ts';
import { useSave } from '../SettingsSection.tsx';
import { asSentence } from './words.ts';

interface FormProps {
  /** Who is away. */
  absent: Person;
  known: StandIn | null;
  zone: string;
  own: boolean;
  onDone: () => void;
}

/** What the server refused, by field, as sentences; what is of no field is told below. */
function problemsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.problems.map(({ path, message }) => [path, asSentence(message)]));
}

const options = (members: readonly Member[], absent: Person) =>
  members
    .filter(({ user, role }) => user.id !== absent.id && role !== 'viewer')
    .map(({ user, role }) => ({
      value: user.id,
      label: `${user.name || user.email} (${roleLabel(role).toLowerCase()})`,
    }));

/** From when until when somebody is away, and who decides meanwhile. */
export function AwayForm({ absent, known, zone, own, onDone }: FormProps) {
  const { data: members = [] } = useQuery(membersQuery);
  const [to, setTo] = useState(known?.to.id ?? null);
  const [first, setFirst] = useState(known?.first_day ?? dayIn(zone));
  const [last, setLast] = useState(known?.last_day ?? dayIn(zone, 7));
  const [note, setNote] = useState(known?.note ?? '');
  const said = { to, first_day: first, last_day: last, note };
  const save = useSave(
    standInsQuery.queryKey,
    () =>
      known
        ? api.patch(`stand-ins/${known.id}/`, said)
        : api.post('stand-ins/', { ...said, absent: absent.id }),
    onDone,
  );
  const problems = problemsOf(save.error);
  /** What was refused is no longer what the form says. */
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      save.reset();
      set(value);
    };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form noValidate onSubmit={submit} aria-label={`${absent.name} is away`}>
      <Stack gap="sm" maw={440}>
        <Group gap="sm" grow align="flex-start">
          <TextInput
            data-autofocus
            type="date"
            label="First day"
            required
            withAsterisk={false}
            value={first}
            error={problems.first_day}
            onChange={(event) => changed(setFirst)(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label="Last day"
            required
            withAsterisk={false}
            value={last}
            min={first}
            error={problems.last_day}
            onChange={(event) => changed(setLast)(event.currentTarget.value)}
          />
        </Group>
        <Select
          label="Who decides meanwhile"
          description={`In ${own ? 'your' : `${absent.name}’s`} place, and nothing beyond that.`}
          placeholder="Choose somebody"
          searchable
          required
          withAsterisk={false}
          data={options(members, absent)}
          value={to}
          error={problems.to}
          nothingFoundMessage="Nobody by that name may decide here"
          onChange={changed(setTo)}
        />
        <TextInput
          label="Note"
          description="Seen by everyone in the workspace. May be left empty."
          maxLength={200}
          value={note}
          error={problems.note}
          onChange={(event) => changed(setNote)(event.currentTarget.value)}
        />
        <Text size="xs" c="dimmed">
          Both days count, in the time zone {zone}. It ends by itself after the last day.
        </Text>
        {save.error && Object.keys(problems).length === 0 ? (
          <Text c="red" size="sm" role="alert">
            {asSentence(messageOf(save.error))}
          </Text>
        ) : null}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={!to || !first || !last}>
            {known ? 'Save' : 'Set away'}
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type AlertChange,
  type AlertKind,
  type AlertRule,
  alertsQuery,
  saveAlert,
} from '../../../api/http/alerts.ts';
import { messageOf } from '../../../api/http/client.ts';
import { graphsQuery, useSession } from '../../../api/http/queries.ts';
import { useAddressees } from './useAddressees.ts';
import { kinds, lookOf, windowName, windows } from './words.ts';

interface AlertFormProps {
  known: AlertRule | null;
  onDone: () => void;
}

/** What is counted, from how many on, and who is told. */
export function AlertForm({ known, onDone }: AlertFormProps) {
  const client = useQueryClient();
  const { data: graphs } = useQuery(graphsQuery());
  const { choices } = useAddressees();
  const mail = useSession().data?.mail !== false;
  const [what, setWhat] = useState<AlertKind>(known?.what ?? 'failures');
  const look = lookOf(what);
  const [number, setNumber] = useState(
    String(known?.threshold_usd ?? known?.threshold ?? look.usual),
  );
  const [window, setWindow] = useState(String(known?.window_minutes ?? 60));
  const [graph, setGraph] = useState(known?.graph?.id ?? null);
  const [to, setTo] = useState<string[]>(known?.to ?? ['role:operator']);
  const save = useMutation({
    mutationFn: (change: AlertChange) => saveAlert(known?.id ?? null, change),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: alertsQuery.queryKey });
      onDone();
    },
  });
  const choose = (value: string | null) => {
    const next = kinds.find((each) => each.value === value);
    if (!next) return;
    setWhat(next.value);
    setNumber(String(next.usual));
    if (next.value === 'waiting') setWindow('1440');
  };
  const enough = Number(number) > 0 && Number.isFinite(Number(number));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!enough) return;
    const threshold =
      what === 'spend' ? { threshold_usd: number } : { threshold: Math.round(Number(number)) };
    save.mutate({ what, ...threshold, window_minutes: Number(window), graph, to });
  };
  const times = windows.some((each) => each.value === window)
    ? windows
    : [...windows, { value: window, label: windowName(Number(window)) }];
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label="Tell when"
          data={kinds.map(({ value, label }) => ({ value, label }))}
          value={what}
          onChange={choose}
          allowDeselect={false}
          data-autofocus
        />
        <Group gap="sm" grow align="start">
          <TextInput
            label={what === 'spend' ? 'From so many USD on' : `From so many ${look.unit} on`}
            inputMode="decimal"
            value={number}
            onChange={(event) => setNumber(event.currentTarget.value)}
            error={enough ? null : 'A number above 0'}
          />
          {look.window ? (
            <Select
              label={look.window === 'within' ? 'Within' : 'That waited for over'}
              data={times}
              value={window}
              onChange={(value) => setWindow(value ?? window)}
              allowDeselect={false}
            />
          ) : null}
        </Group>
        <Select
          label="Workflow"
          placeholder="All workflows"
          clearable
          searchable
          data={(graphs ?? []).map((each) => ({ value: each.id, label: each.name }))}
          value={graph}
          onChange={setGraph}
        />
        <MultiSelect
          label="Mail to"
          description={`The dashboard tells everybody.${mail ? ' Without anyone here, no mail goes out.' : ' This server sends no mail yet: whoever is named here gets some from then on.'}`}
          data={choices}
          value={to}
          onChange={setTo}
          searchable
          hidePickedOptions
        />
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {known ? 'Save' : 'Add the alert'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  createTrigger,
  type NewTrigger,
  type TriggerKind,
  triggersQuery,
} from '../../api/http/runs/triggers.ts';
import { messageOf } from '../../api/http/client.ts';
import { graphQuery } from '../../api/http/queries.ts';
import type { Json } from '../../api/types/types.ts';
import { AnswerField } from './webhook/AnswerField.tsx';
import { CustomFields } from './webhook/CustomFields.tsx';
import { ScheduleFields } from './times/ScheduleFields.tsx';
import { StartValues } from './times/StartValues.tsx';
import { useSession } from '../../api/http/queries.ts';
import { mappingOfValues, startFields } from './times/startValues.ts';
import { EventFields } from './events/EventFields.tsx';
import { EventValues } from './events/EventValues.tsx';
import { mappingOf, signatures } from './words.ts';
import ui from '../../ui/ui.module.css';

interface NewTriggerFormProps {
  graphId: string;
  kind: TriggerKind;
  onMade: (trigger: NewTrigger) => void;
  onCancel: () => void;
}
type Config = Record<string, Json>;

const first = (zone: string | undefined): Record<TriggerKind, Config> => ({
  webhook: { signature: 'standard' },
  event: { on: ['run.failed'] },
  schedule: {
    cron: '0 8 * * 1-5',
    zone: zone || Intl.DateTimeFormat().resolvedOptions().timeZone,
    missed: 'once',
  },
});

const NAMES: Record<TriggerKind, string> = {
  webhook: 'Orders of the shop',
  schedule: 'Every morning',
  event: 'When the import fails',
};

/** A trigger is made, switched on. */
export function NewTriggerForm({ graphId, kind, onMade, onCancel }: NewTriggerFormProps) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const zone = useSession().data?.user?.zone;
  const [config, setConfig] = useState(first(zone)[kind]);
  const [secret, setSecret] = useState('');
  const [values, setValues] = useState<Record<string, string>>({});
  const fields = startFields(useQuery(graphQuery(graphId)).data);
  const look = signatures.find(({ value }) => value === config['signature']);
  const make = useMutation({
    mutationFn: () =>
      createTrigger(graphId, {
        kind,
        config,
        on: true,
        ...(kind === 'schedule' ? { mapping: mappingOfValues(fields, values) } : {}),
        ...(kind === 'event' ? { mapping: mappingOf(Object.entries(values)) } : {}),
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(look?.given && secret ? { secret } : {}),
      }),
    onSuccess: async (trigger) => {
      await client.invalidateQueries({ queryKey: triggersQuery(graphId).queryKey });
      onMade(trigger);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          placeholder={NAMES[kind]}
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {kind === 'schedule' ? (
          <>
            <ScheduleFields config={config} onChange={setConfig} />
            <StartValues fields={fields} values={values} onChange={setValues} />
          </>
        ) : null}
        {kind === 'event' ? (
          <>
            <EventFields graphId={graphId} config={config} onChange={setConfig} />
            <EventValues fields={fields} values={values} onChange={setValues} />
          </>
        ) : null}
        {kind === 'webhook' ? (
          <Select
            label="Who calls it"
            description={look?.text}
            data={signatures.map(({ value, label }) => ({ value, label }))}
            value={String(config['signature'])}
            onChange={(value) =>
              setConfig({
                signature: value ?? 'standard',
                answer_s: config['answer_s'] ?? 0,
              })
            }
            allowDeselect={false}
          />
        ) : null}
        {look?.given ? (
          <PasswordInput
            label="Secret"
            required
            withAsterisk={false}
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
        ) : null}
        {look?.value === 'custom' ? <CustomFields config={config} onChange={setConfig} /> : null}
        {kind === 'webhook' ? (
          <AnswerField
            seconds={config['answer_s']}
            onChange={(answer_s) => setConfig({ ...config, answer_s })}
          />
        ) : null}
        {make.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(make.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Add and switch on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

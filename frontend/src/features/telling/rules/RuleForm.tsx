import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import { graphsQuery } from '../../../api/http/queries.ts';
import {
  type Channel,
  changeRule,
  createRule,
  type Of,
  type Rule,
  type RuleChange,
  type RuleWhen,
} from '../../../api/http/workspace/telling.ts';
import { EVENTS, eventsFor } from '../words.ts';
import { KindChoice } from './KindChoice.tsx';
import { PlaceFields } from './PlaceFields.tsx';
import ui from '../../../ui/ui.module.css';

interface RuleFormProps {
  of: Of;
  channels: Channel[];
  /** The one that is changed; a new one without it. */
  rule?: Rule;
  onDone: () => void;
}

const WAITS_LONG = 'item.waiting';
const WHEN: { value: RuleWhen; label: string }[] = [
  { value: 'at_once', label: 'At once' },
  { value: 'hourly', label: 'Every hour, as one message' },
  { value: 'daily', label: 'Once a day, as one message' },
];
const FIRST: RuleChange = {
  kinds: [],
  graph: null,
  folder: '',
  tag: '',
  minutes: null,
  mine: false,
  when: 'at_once',
  at: '08:00',
};

/** A rule is made or changed: what is told, where, and when. */
export function RuleForm({ of, channels, rule, onDone }: RuleFormProps) {
  const client = useQueryClient();
  const [channelId, setChannel] = useState(rule?.channel.id ?? channels[0]?.id ?? '');
  const [wanted, setWanted] = useState<RuleChange>(rule ?? FIRST);
  const graphs = useQuery(graphsQuery()).data ?? [];
  const channel = channels.find((each) => each.id === channelId);
  const offered = eventsFor(channel);
  const known = new Set(offered.flatMap(({ items }) => items.map(({ value }) => value)));
  const change = (fields: Partial<RuleChange>) => setWanted({ ...wanted, ...fields });
  const { kinds, graph, folder, tag, minutes, mine, when, at } = wanted;
  const isLong = kinds.includes(WAITS_LONG) && known.has(WAITS_LONG);
  const isProgram = channel?.kind === 'webhook';
  const body: RuleChange = {
    kinds: kinds.filter((kind) => known.has(kind)),
    graph,
    folder,
    tag,
    minutes: isLong ? (minutes ?? 60) : null,
    mine,
    when: isProgram ? 'at_once' : when,
    at,
  };
  const save = useMutation({
    mutationFn: () => (rule ? changeRule(rule.id, body) : createRule(channelId, body)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['telling', of] });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label="Channel"
          data={channels.map((each) => ({ value: each.id, label: each.name }))}
          value={channelId}
          onChange={(value) => setChannel(value ?? channelId)}
          allowDeselect={false}
          disabled={rule !== undefined}
        />
        <KindChoice
          offered={offered}
          chosen={body.kinds}
          note={
            offered.length < EVENTS.length
              ? 'Mail about what waits for you is chosen under Mail.'
              : of === 'me'
                ? 'Of what waits: only what you may decide.'
                : null
          }
          onChange={(chosen) => change({ kinds: chosen })}
        />
        {of === 'me' && body.kinds.some((kind) => kind.startsWith('run.')) ? (
          <Checkbox
            label="Only of runs that I started"
            checked={mine}
            onChange={(event) => change({ mine: event.currentTarget.checked })}
          />
        ) : null}
        {isLong ? (
          <NumberInput
            label="After how many minutes of waiting"
            description="Each item is told of once."
            value={minutes ?? 60}
            min={1}
            max={43_200}
            allowDecimal={false}
            onChange={(value) => change({ minutes: Number(value) || 60 })}
          />
        ) : null}
        <Select
          label="Workflow"
          placeholder="All workflows"
          data={graphs.map((each) => ({ value: each.id, label: each.name }))}
          value={graph}
          onChange={(value) => change({ graph: value })}
          searchable
          clearable
        />
        <PlaceFields folder={folder} tag={tag} onChange={change} />
        {isProgram ? null : (
          <Group grow align="flex-end">
            <Select
              label="When"
              data={WHEN}
              value={when}
              onChange={(value) => change({ when: (value ?? 'at_once') as RuleWhen })}
              allowDeselect={false}
            />
            {when === 'daily' ? (
              <TextInput
                type="time"
                label={`At, in ${channel?.zone ?? 'UTC'}`}
                value={at}
                onChange={(event) => change({ at: event.currentTarget.value })}
                required
                withAsterisk={false}
              />
            ) : null}
          </Group>
        )}
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={body.kinds.length === 0}>
            {rule ? 'Save' : 'Add'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

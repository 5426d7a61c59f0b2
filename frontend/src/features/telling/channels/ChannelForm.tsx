import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import {
  type Channel,
  type ChannelChange,
  type ChannelKind,
  changeChannel,
  createChannel,
  type NewChannel,
  type Of,
} from '../../../api/http/workspace/telling.ts';
import { CHANNELS } from '../words.ts';
import { QuietFields } from './QuietFields.tsx';
import ui from '../../../ui/ui.module.css';

interface ChannelFormProps {
  of: Of;
  /** The one that is changed; a new one without it. */
  channel?: Channel;
  onDone: (channel: Channel | NewChannel | null) => void;
  onCancel: () => void;
}

const kindsFor = (of: Of) =>
  (Object.keys(CHANNELS) as ChannelKind[])
    .filter((kind) => of === 'workspace' || kind !== 'webhook')
    .map((value) => ({ value, label: CHANNELS[value].label }));

/** A channel is made or changed; its address is written and never read. */
export function ChannelForm({ of, channel, onDone, onCancel }: ChannelFormProps) {
  const client = useQueryClient();
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? 'slack');
  const [name, setName] = useState(channel?.name ?? '');
  const [address, setAddress] = useState('');
  const [key, setKey] = useState('');
  const [quiet, setQuiet] = useState(channel?.quiet ?? null);
  const [zone, setZone] = useState(
    channel?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const words = CHANNELS[kind];
  const wanted: ChannelChange = {
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(address.trim() ? { address: address.trim() } : {}),
    ...(key.trim() ? { key: key.trim() } : {}),
    ...(kind === 'webhook' ? {} : { quiet, zone }),
  };
  const save = useMutation({
    mutationFn: (): Promise<Channel | NewChannel> =>
      channel ? changeChannel(channel.id, wanted) : createChannel({ of, kind, ...wanted }),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: ['telling', of] });
      onDone(saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {channel ? null : (
          <Select
            label="Kind"
            data={kindsFor(of)}
            value={kind}
            onChange={(value) => setKind((value ?? 'slack') as ChannelKind)}
            allowDeselect={false}
            data-autofocus
          />
        )}
        <TextInput
          label="Name"
          placeholder={`${words.label} of operations`}
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={words.address}
          description={
            channel
              ? `Now ${channel.hint}. Another one is tested before anything is told there.`
              : words.text
          }
          placeholder={words.placeholder}
          required={!channel}
          withAsterisk={false}
          maxLength={2000}
          autoComplete="off"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        {words.key ? (
          <PasswordInput
            label={words.key.label}
            required={words.key.needed && !channel}
            withAsterisk={false}
            maxLength={200}
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
        ) : null}
        {kind === 'webhook' ? null : (
          <QuietFields quiet={quiet} zone={zone} onQuiet={setQuiet} onZone={setZone} />
        )}
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {channel ? 'Save' : 'Add'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Channel, verifyChannel } from '../../../api/http/workspace/telling.ts';
import { useTelling } from '../useTelling.ts';

/** The code that was sent to a channel of one's own. */
export function CodeForm({ channel }: { channel: Channel }) {
  const { mutate, isPending } = useTelling(channel.of);
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(() => verifyChannel(channel.id, code.trim()));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" mt={6}>
        <TextInput
          aria-label={`Code that was sent to ${channel.name}`}
          placeholder="Code of six digits"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          w={160}
          size="xs"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" disabled={code.trim().length < 6} loading={isPending}>
          Verify
        </Button>
      </Group>
    </form>
  );
}

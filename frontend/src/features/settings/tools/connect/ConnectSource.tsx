import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '../../../../api/http/client.ts';
import { SaveProblem, useSave } from '../../SettingsSection.tsx';

/** Go to a server's own sign-in, to agree there that its tools are called from here. */
export function ConnectSource({ name, onDone }: { name: string; onDone: () => void }) {
  const [own, setOwn] = useState(false);
  const [client, setClient] = useState({ client_id: '', client_secret: '' });
  const save = useSave(['tools'], async () => {
    const { url } = await api.post<{ url: string }>(
      `tool-sources/${name}/connect/`,
      own ? client : {},
    );
    window.location.assign(url);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          You sign in at the server, agree there, and come back here. From then on every agent and
          workflow of this workspace that uses its tools acts with that account.
        </Text>
        {own ? (
          <>
            <TextInput
              label="Client ID"
              description={`Register a client there with the address ${window.location.origin}/settings/tools/connected`}
              required
              withAsterisk={false}
              maxLength={300}
              value={client.client_id}
              onChange={(event) => setClient({ ...client, client_id: event.currentTarget.value })}
            />
            <PasswordInput
              label="Client secret"
              description="If it was given one"
              autoComplete="off"
              maxLength={1000}
              value={client.client_secret}
              onChange={(event) =>
                setClient({ ...client, client_secret: event.currentTarget.value })
              }
            />
          </>
        ) : null}
        <SaveProblem error={save.error} />
        <Group justify="space-between" gap="xs">
          <Button variant="subtle" px={4} onClick={() => setOwn(!own)}>
            {own ? 'Let it register by itself' : 'Use a client of your own'}
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending || save.isSuccess}>
              Go to the sign-in
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, api, messageOf } from '../../../../api/http/client.ts';

/** Do something for which the password may be asked again; the dialog asks for it where the server does. */
export function useConfirmed(): [run: (act: () => Promise<void>) => Promise<void>, ReactNode] {
  const [waiting, setWaiting] = useState<(() => Promise<void>) | null>(null);
  const run = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'ConfirmFirst')) throw error;
      setWaiting(() => act);
    }
  };
  const dialog = (
    <Modal opened={waiting !== null} onClose={() => setWaiting(null)} title="It is you, is it not?">
      <PasswordAgain
        onShown={async () => {
          await waiting?.();
          setWaiting(null);
        }}
        onCancel={() => setWaiting(null)}
      />
    </Modal>
  );
  return [run, dialog];
}

function PasswordAgain({
  onShown,
  onCancel,
}: {
  onShown: () => Promise<void>;
  onCancel: () => void;
}) {
  const [password, setPassword] = useState('');
  const show = useMutation({
    mutationFn: async () => {
      await api.post('password/confirm/', { password });
      await onShown();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    show.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Your password"
          description="Asked again before anything changes about how you sign in. It counts for five minutes."
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {show.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(show.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={show.isPending}>
            Go on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

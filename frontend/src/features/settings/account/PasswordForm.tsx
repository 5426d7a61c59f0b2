import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sessionsQuery, SHORTEST_PASSWORD } from '../../../api/http/workspace/people/account.ts';
import { ApiError, api, fieldProblem, messageOf } from '../../../api/http/client.ts';
import { sessionQuery } from '../../../api/http/queries.ts';

/** Changes the password: the present one, and the one to come. */
export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => api.post('password/', { current, password }),
    onSuccess: async () => {
      setCurrent('');
      setPassword('');
      notifications.show({
        color: 'teal',
        title: 'The password is changed',
        message: 'Every other browser is asked to sign in again.',
      });
      await Promise.all([
        client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
        client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
      ]);
    },
  });
  const wrong = change.error instanceof ApiError && change.error.code === 'WrongPassword';
  const weak = fieldProblem(change.error, 'password');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={380}>
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Present password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          error={wrong ? messageOf(change.error) : undefined}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description={`At least ${SHORTEST_PASSWORD} characters`}
          autoComplete="new-password"
          minLength={SHORTEST_PASSWORD}
          required
          withAsterisk={false}
          value={password}
          error={weak}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {change.error && !wrong && !weak ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(change.error)}
          </Text>
        ) : null}
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

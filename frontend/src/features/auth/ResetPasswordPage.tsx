import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { SHORTEST_PASSWORD } from '../../api/http/workspace/people/account.ts';
import { ApiError, api, fieldProblem, messageOf } from '../../api/http/client.ts';
import { AuthLayout } from './AuthLayout.tsx';

/** Where a mailed link leads: a new password. What opens it stands behind `#`, so no server sees it in an address. */
export default function ResetPasswordPage() {
  const { hash } = useLocation();
  const [user = '', token = ''] = hash.slice(1).split('.');
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () => api.post('password-reset/confirm/', { user, token, password }),
  });
  const dead = reset.error instanceof ApiError && reset.error.code === 'ResetLinkInvalid';
  if (!user || !token || dead) {
    return (
      <AuthLayout
        title="This link does not work"
        text={
          dead ? messageOf(reset.error) : 'The link is not whole: copy all of it, up to the end.'
        }
      >
        <Button component={Link} to="/forgot-password" variant="default" fullWidth>
          Ask for another
        </Button>
      </AuthLayout>
    );
  }
  if (reset.isSuccess)
    return (
      <AuthLayout title="The new password holds" text="You were signed out everywhere.">
        <Button component={Link} to="/sign-in" fullWidth>
          Sign in
        </Button>
      </AuthLayout>
    );
  const weak = fieldProblem(reset.error, 'password');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate();
  };
  return (
    <AuthLayout title="Set a new password">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput
            label="New password"
            description={`At least ${SHORTEST_PASSWORD} characters`}
            autoComplete="new-password"
            minLength={SHORTEST_PASSWORD}
            required
            withAsterisk={false}
            autoFocus
            value={password}
            error={weak}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {reset.error && !weak ? (
            <Text c="red" size="sm" role="alert">
              {messageOf(reset.error)}
            </Text>
          ) : null}
          <Button type="submit" fullWidth mt="xs" loading={reset.isPending}>
            Set it
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  );
}

import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { api, messageOf } from '../../api/http/client.ts';
import { useSession } from '../../api/http/queries.ts';
import { AuthLayout } from './AuthLayout.tsx';

/** Has a link for a new password sent; where no mail is set up it says who can help. */
export default function ForgotPasswordPage() {
  const { data: session } = useSession();
  const { state } = useLocation() as { state: { email?: string } | null };
  const [email, setEmail] = useState(state?.email ?? '');
  const ask = useMutation({
    mutationFn: () => api.post('password-reset/', { email: email.trim() }),
  });
  const back = (
    <Text size="sm" ta="center">
      <Anchor component={Link} to="/sign-in" inherit>
        Back to signing in
      </Anchor>
    </Text>
  );
  if (session && !session.mail) {
    return (
      <AuthLayout
        title="Forgot your password?"
        text="This server sends no mail. Whoever runs it sets a new password for you, with this command where it was started:"
      >
        <Stack gap="sm">
          <pre className="gw-mono">manage.py changepassword you@example.com</pre>
          {back}
        </Stack>
      </AuthLayout>
    );
  }
  if (ask.isSuccess)
    return (
      <AuthLayout
        title="Look at your mail"
        text={`If ${email.trim()} has an account here, a link is on its way. It works once, for an hour.`}
      >
        {back}
      </AuthLayout>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <AuthLayout
      title="Forgot your password?"
      text="We send you a link with which you set a new one."
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {ask.error ? (
            <Text c="red" size="sm" role="alert">
              {messageOf(ask.error)}
            </Text>
          ) : null}
          <Button type="submit" fullWidth mt="xs" loading={ask.isPending}>
            Send the link
          </Button>
          {back}
        </Stack>
      </form>
    </AuthLayout>
  );
}

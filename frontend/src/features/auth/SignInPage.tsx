import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { api, messageOf } from '../../api/http/client.ts';
import { rememberSession, sessionQuery, useSession } from '../../api/http/queries.ts';
import { refusedText } from '../../api/http/workspace/people/signIn.ts';
import type { Session } from '../../api/types/types.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { CodeStep } from './CodeStep.tsx';
import { OtherWays } from './OtherWays.tsx';

/** Where to go afterwards: a path of this site, nothing else. */
function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}

/** The pages of Django admin are not part of this app: the browser goes there itself. */
const isElsewhere = (next: string): boolean => next.startsWith('/admin/');

function Leave({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return null;
}

/** Sign in with e-mail and password, and a second factor where one is set up; or another way. */
export default function SignInPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { data: session } = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const next = safeNext(params.get('next'));
  const refused = refusedText(params.get('refused'));
  const signIn = useMutation({
    mutationFn: () =>
      api.post<Session>('session/', { email: email.trim(), password }, { repeatable: true }),
    onSuccess: (answer) => {
      client.setQueryData(sessionQuery.queryKey, rememberSession(answer));
      setPassword('');
      if (answer.authenticated && !isElsewhere(next)) void navigate(next, { replace: true });
    },
  });
  const look = () => client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (session?.authenticated && !signIn.isPending)
    return isElsewhere(next) ? <Leave to={next} /> : <Navigate to={next} replace />;
  if (session && session.second_factor.length > 0)
    return (
      <CodeStep
        kinds={session.second_factor}
        onIn={look}
        onBack={() => void api.delete('session/').then(look)}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <AuthLayout title="Sign in">
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
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {refused && !signIn.error ? (
            <Text c="red" size="sm" role="alert">
              {refused}
            </Text>
          ) : null}
          {signIn.error ? (
            <Text c="red" size="sm" role="alert">
              {messageOf(signIn.error)}
            </Text>
          ) : null}
          <Button type="submit" fullWidth mt="xs" loading={signIn.isPending}>
            Sign in
          </Button>
          <Text size="sm" ta="center">
            <Anchor component={Link} to="/forgot-password" state={{ email: email.trim() }} inherit>
              Forgot password?
            </Anchor>
          </Text>
        </Stack>
      </form>
      <OtherWays providers={session?.providers ?? []} next={next} onIn={look} />
    </AuthLayout>
  );
}

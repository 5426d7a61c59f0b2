import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { api, keepWorkspace, messageOf, setCredentials } from '../../api/http/client.ts';
import { sessionQuery } from '../../api/http/queries.ts';
import { goTo } from '../../api/http/workspace/people/signIn.ts';
import type { Session } from '../../api/types/types.ts';
import { AuthLayout } from './AuthLayout.tsx';

const WORDS = {
  SecondFactorNeeded: {
    title: 'This workspace asks for a second factor',
    text: 'A code from an app, or a passkey, beside your password. It takes a minute to set up.',
  },
  ProviderNeeded: {
    title: 'This workspace asks for the firm’s sign-in',
    text: 'Your password alone does not open it. Continue with the firm below.',
  },
  OtherSignIn: {
    title: 'Your firm’s sign-in opens its own workspace',
    text: 'For any other, sign in with your password or passkey.',
  },
};

/** In place of a workspace that this sign-in does not open: why, and what opens it. */
export default function ClosedWorkspace({
  session,
  reason,
}: {
  session: Session;
  reason: keyof typeof WORDS;
}) {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const firm = useMutation({ mutationFn: (id: string) => goTo(id, pathname) });
  const leave = async (act: () => Promise<unknown>) => {
    await act();
    client.clear();
    await client.fetchQuery(sessionQuery);
  };
  const enter = (id: string) =>
    leave(() => {
      keepWorkspace(id);
      setCredentials(session.csrf_token, id);
      return Promise.resolve();
    });
  const firms = reason === 'OtherSignIn' ? [] : session.providers;
  return (
    <AuthLayout title={WORDS[reason].title} text={WORDS[reason].text}>
      <Stack gap="sm">
        {reason === 'SecondFactorNeeded' ? (
          <Button component={Link} to="/profile#security" fullWidth>
            Set it up
          </Button>
        ) : null}
        {firms.map((provider) => (
          <Button
            key={provider.id}
            variant={reason === 'ProviderNeeded' ? 'filled' : 'default'}
            fullWidth
            loading={firm.isPending && firm.variables === provider.id}
            onClick={() => firm.mutate(provider.id)}
          >
            Continue with {provider.name}
          </Button>
        ))}
        {firm.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(firm.error)}
          </Text>
        ) : null}
        {session.workspaces.length > 1
          ? session.workspaces.map((workspace) => (
              <Button
                key={workspace.id}
                variant="default"
                fullWidth
                onClick={() => void enter(workspace.id)}
              >
                Go to {workspace.name}
              </Button>
            ))
          : null}
        <Button variant="subtle" fullWidth onClick={() => void leave(() => api.delete('session/'))}>
          Sign out
        </Button>
      </Stack>
    </AuthLayout>
  );
}

import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Invited } from '../../api/http/workspace/people/access.ts';
import { ApiError, api, keepWorkspace, messageOf } from '../../api/http/client.ts';
import { rememberSession, sessionQuery, useSession } from '../../api/http/queries.ts';
import type { Session } from '../../api/types/types.ts';
import { followedCode, refusedText } from '../../api/http/workspace/people/signIn.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { OtherWays } from './OtherWays.tsx';
import { homeOf, roleLabel, roles } from '../../ui/roles.ts';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';

const SHORTEST = 10;

/** Where an invitation link leads: see what it is for, then join with a new account or one's own. */
export default function JoinPage() {
  const { hash } = useLocation();
  const [params] = useSearchParams();
  const refused = refusedText(params.get('refused'));
  const code = hash.slice(1) || (refused ? followedCode() : '');
  const { data: session } = useSession();
  const invited = useQuery({
    queryKey: ['invited', code],
    queryFn: () => api.post<Invited>('invitations/look/', { code }),
    enabled: code !== '',
    retry: false,
    gcTime: 0,
  });
  if (code === '' || invited.error) {
    const text =
      code === ''
        ? 'The link is not whole: copy all of it, up to the end.'
        : messageOf(invited.error);
    return (
      <AuthLayout title="This invitation does not work" text={text}>
        <Button component={Link} to="/" variant="default" fullWidth>
          Go to Graphwright
        </Button>
      </AuthLayout>
    );
  }
  if (!invited.data || !session)
    return (
      <AuthLayout title="Invitation">
        <ListSkeleton rows={3} />
      </AuthLayout>
    );
  const { workspace, role, invited_by } = invited.data;
  const can = roles.find((each) => each.value === role)?.can ?? '';
  return (
    <AuthLayout
      title={`Join ${workspace}`}
      text={`${invited_by ?? 'Somebody'} invites you as ${roleLabel(role).toLowerCase()} (${can}).`}
    >
      <JoinForm
        key={String(session.authenticated)}
        code={code}
        invited={invited.data}
        session={session}
        refused={refused}
      />
    </AuthLayout>
  );
}

function JoinForm({
  code,
  invited,
  session,
  refused,
}: {
  code: string;
  invited: Invited;
  session: Session;
  refused: string | null;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [person, setPerson] = useState({ name: '', email: invited.email, password: '' });
  const known = session.user;
  const byFirm = !known && invited.firm_only;
  const join = useMutation({
    mutationFn: () => api.post<Session>('join/', known ? { code } : { code, ...person }),
    onSuccess: (answer) => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, rememberSession(answer));
      if (answer.workspace) keepWorkspace(answer.workspace.id);
      void navigate(homeOf(answer.workspace?.role), { replace: true });
    },
  });
  const problemOf = (field: string) =>
    join.error instanceof ApiError
      ? join.error.problems.find((problem) => problem.path === field)?.message
      : undefined;
  const hasAccount = join.error instanceof ApiError && join.error.code === 'AccountExists';
  const bind = (field: keyof typeof person) => ({
    value: person[field],
    error: problemOf(field),
    required: true,
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      setPerson({ ...person, [field]: event.currentTarget.value }),
  });
  const signIn = `/sign-in?next=${encodeURIComponent(`/join#${code}`)}`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    join.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {refused && !join.error ? (
          <Text c="var(--gw-red)" size="sm" role="alert">
            {refused}
          </Text>
        ) : null}
        {known ? (
          <Text>
            You are signed in as <b>{known.name}</b> ({known.email}).
          </Text>
        ) : byFirm ? (
          <Text>This workspace opens by the firm’s sign-in only.</Text>
        ) : (
          <>
            <TextInput label="Your name" autoComplete="name" autoFocus {...bind('name')} />
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              readOnly={invited.email !== ''}
              {...bind('email')}
            />
            <PasswordInput
              label="Password"
              description={`At least ${SHORTEST} characters`}
              autoComplete="new-password"
              minLength={SHORTEST}
              {...bind('password')}
            />
          </>
        )}
        {join.error && !hasAccount ? (
          <Text c="var(--gw-red)" size="sm" role="alert">
            {messageOf(join.error)}
          </Text>
        ) : null}
        {hasAccount ? (
          <Text c="var(--gw-red)" size="sm" role="alert">
            This address has an account:{' '}
            <Anchor component={Link} to={signIn} inherit underline="always">
              sign in with it
            </Anchor>{' '}
            and you come back here.
          </Text>
        ) : null}
        {byFirm ? null : (
          <Button type="submit" fullWidth mt="xs" loading={join.isPending}>
            Join
          </Button>
        )}
        {known ? null : (
          <OtherWays
            providers={invited.providers}
            next="/"
            invitation={code}
            alone={byFirm}
            onIn={() => client.invalidateQueries(sessionQuery)}
          />
        )}
        {known ? null : (
          <Text size="sm" c="dimmed" ta="center">
            You have an account?{' '}
            <Anchor component={Link} to={signIn} inherit underline="always">
              Sign in
            </Anchor>
          </Text>
        )}
      </Stack>
    </form>
  );
}

import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { ApiError, api, messageOf } from '../../api/http/client.ts';
import { modelsQuery, rememberSession, sessionQuery, useSession } from '../../api/http/queries.ts';
import type { Session } from '../../api/types/types.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { FoundList } from '../settings/models/FoundList.tsx';
import { ModelList } from '../settings/models/ModelList.tsx';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';

const SHORTEST = 10;

/** The first visit: the owner's account, then what models there are. */
export default function SetupPage() {
  const { data: session } = useSession();
  const [made, setMade] = useState(false);
  if (made) return <ModelsStep />;
  if (session && !session.needs_setup) return <Navigate to="/" replace />;
  return <OwnerStep onMade={() => setMade(true)} />;
}

interface Owner {
  name: string;
  email: string;
  password: string;
  workspace: string;
  code: string;
}

function OwnerStep({ onMade }: { onMade: () => void }) {
  const client = useQueryClient();
  const [owner, setOwner] = useState<Owner>({
    name: '',
    email: '',
    password: '',
    workspace: '',
    code: '',
  });
  const create = useMutation({
    mutationFn: () => {
      const { name, email, password, workspace, code } = owner;
      return api.post<Session>('setup/', {
        name,
        email,
        password,
        ...(workspace ? { workspace } : {}),
        ...(code ? { code } : {}),
      });
    },
    onSuccess: (answer) => {
      client.setQueryData(sessionQuery.queryKey, rememberSession(answer));
      onMade();
    },
  });
  const problemOf = (field: string) =>
    create.error instanceof ApiError
      ? create.error.problems.find((problem) => problem.path === field)?.message
      : undefined;
  const needsCode = create.error instanceof ApiError && create.error.status === 403;
  const bind = (field: keyof Owner) => ({
    value: owner[field],
    error: problemOf(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      setOwner({ ...owner, [field]: event.currentTarget.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <AuthLayout
      title="Make the owner’s account"
      text="You are the first one here. The owner can invite others and decide which models may be used."
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            withAsterisk={false}
            autoFocus
            {...bind('name')}
          />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            {...bind('email')}
          />
          <PasswordInput
            label="Password"
            description={`At least ${SHORTEST} characters`}
            autoComplete="new-password"
            minLength={SHORTEST}
            required
            withAsterisk={false}
            {...bind('password')}
          />
          <TextInput label="Workspace" placeholder="The name of your team" {...bind('workspace')} />
          {needsCode || owner.code ? (
            <TextInput
              label="Set-up code"
              description="It was printed where the server was started."
              autoComplete="one-time-code"
              {...bind('code')}
            />
          ) : null}
          {create.error ? (
            <Alert color="red" icon={<IconAlertTriangle size={16} />} role="alert">
              {messageOf(create.error)}
            </Alert>
          ) : null}
          <Button type="submit" fullWidth mt="xs" loading={create.isPending}>
            Go on
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  );
}

function ModelsStep() {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(modelsQuery);
  return (
    <AuthLayout
      wide
      title="What your agents can think with"
      text="The built-in model works without a key. Everything else is used only after you accept it; you can change this later in the settings."
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={4} /> : null}
      {data ? (
        <>
          <Title order={2} mb="xs">
            Found here
          </Title>
          <FoundList found={data.found} canEdit />
          <Title order={2} mb="xs" mt="lg">
            Ready to use
          </Title>
          <ModelList models={data} canEdit />
        </>
      ) : null}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          The three example workflows run with any of them.
        </Text>
        <Button onClick={() => void navigate('/workflows')}>Go to the workflows</Button>
      </Group>
    </AuthLayout>
  );
}

import { ActionIcon, Avatar, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop, IconDeviceMobile, IconLogout } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { sessionsQuery, type SignedIn } from '../../../api/http/workspace/people/account.ts';
import { api, messageOf } from '../../../api/http/client.ts';
import { sessionQuery } from '../../../api/http/queries.ts';
import classes from '../settings.module.css';
import { SettingsSection } from '../SettingsSection.tsx';
import { confirm } from '../../../ui/confirm.tsx';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { deviceName } from './device.ts';

const told = (error: unknown) =>
  notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) });

/** Where one is signed in; each place, the others, or all can be ended. */
export function SessionList() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const again = () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const endOne = useMutation({
    mutationFn: (id: string) => api.delete(`sessions/${id}/`),
    onSuccess: again,
    onError: told,
  });
  const endMany = useMutation({
    mutationFn: (which: 'others' | 'all') => api.post('sessions/end/', { which }),
    onSuccess: async (_answer, which) => {
      if (which === 'others') return again();
      client.clear();
      await client.fetchQuery(sessionQuery);
      void navigate('/sign-in');
    },
    onError: told,
  });
  const ask = async (which: 'others' | 'all') => {
    const text =
      which === 'all'
        ? 'You are signed out in every browser, this one too.'
        : 'You stay signed in here. Every other browser is asked to sign in again.';
    if (
      await confirm({
        title: which === 'all' ? 'Sign out everywhere?' : 'Sign out everywhere else?',
        text,
        confirm: 'Sign out',
        danger: true,
      })
    )
      endMany.mutate(which);
  };
  return (
    <SettingsSection
      title="Where you are signed in"
      text="End what you do not know, and change your password then."
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={2} /> : null}
      {data ? (
        <ul className={classes.rows} aria-label="Sessions">
          {data.map((session) => (
            <Row
              key={session.id}
              session={session}
              busy={endOne.isPending}
              onEnd={() => endOne.mutate(session.id)}
            />
          ))}
        </ul>
      ) : null}
      {data ? (
        <Group gap="xs">
          {data.length > 1 ? (
            <Button
              variant="default"
              loading={endMany.isPending}
              onClick={() => void ask('others')}
            >
              Sign out everywhere else
            </Button>
          ) : null}
          <Button variant="default" loading={endMany.isPending} onClick={() => void ask('all')}>
            Sign out everywhere
          </Button>
        </Group>
      ) : null}
    </SettingsSection>
  );
}

function Row({ session, busy, onEnd }: { session: SignedIn; busy: boolean; onEnd: () => void }) {
  const name = deviceName(session.client);
  const Glyph = /Android|iPhone|iPad/.test(name) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li>
      <Avatar size={32} radius="xl" variant="light" aria-hidden>
        <Glyph size={18} />
      </Avatar>
      <div className={classes.rowMain}>
        <b>{name}</b>
        <Text size="sm" c="dimmed">
          {session.address ? `${session.address} · ` : ''}since{' '}
          <RelativeTime at={session.created_at} /> · seen <RelativeTime at={session.last_seen_at} />
        </Text>
      </div>
      {session.current ? (
        <Text size="sm" c="dimmed">
          this one
        </Text>
      ) : (
        <ActionIcon aria-label={`End the session of ${name}`} disabled={busy} onClick={onEnd}>
          <IconLogout size={16} />
        </ActionIcon>
      )}
    </li>
  );
}

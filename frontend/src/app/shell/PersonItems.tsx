import { Menu, useComputedColorScheme } from '@mantine/core';
import {
  IconAt,
  IconBeach,
  IconBell,
  IconCheck,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api/http/client.ts';
import { sessionQuery, useSession } from '../../api/http/queries.ts';
import type { Session } from '../../api/types/types.ts';
import { roleLabel } from '../../ui/roles.ts';
import { enterWorkspace } from './enterWorkspace.ts';
import { openKeySheet } from './openLate.ts';
import classes from './shell.module.css';
import { useToggleScheme } from './useScheme.ts';

function Workspaces({ session, onNew }: { session: Session; onNew: () => void }) {
  const { workspace: current, workspaces } = session;
  const owns = workspaces.some((each) => each.role === 'admin');
  return (
    <>
      <Menu.Label>Workspaces</Menu.Label>
      <div className={classes.workspaces} role="group" aria-label="Workspaces">
        {workspaces.map((each) => {
          const here = each.id === current?.id;
          return (
            <Menu.Item
              key={each.id}
              aria-current={here || undefined}
              rightSection={here ? <IconCheck size={16} aria-hidden /> : null}
              onClick={() => (here ? undefined : enterWorkspace(each.id, each.role))}
            >
              <span className={classes.workspaceName}>{each.name}</span>{' '}
              <small>{roleLabel(each.role)}</small>
            </Menu.Item>
          );
        })}
      </div>
      {owns ? (
        <Menu.Item leftSection={<IconPlus size={16} />} onClick={onNew}>
          New workspace
        </Menu.Item>
      ) : null}
    </>
  );
}

/** What the menu of a person holds, fetched when somebody comes near it. */
export default function PersonItems({ unread, onNew }: { unread: number; onNew: () => void }) {
  const { data: session } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toggle = useToggleScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  const signOut = async () => {
    await api.delete('session/');
    client.clear();
    await client.fetchQuery(sessionQuery);
    void navigate('/sign-in');
  };
  return (
    <>
      <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} />}>
        <span className={classes.workspaceName}>{session?.user?.name ?? 'You'}</span>{' '}
        <small>Profile</small>
      </Menu.Item>
      <Menu.Item
        leftSection={<IconAt size={16} />}
        rightSection={unread > 0 ? unread : null}
        component={Link}
        to="/mentions"
      >
        Mentions
      </Menu.Item>
      <Menu.Item leftSection={<IconBell size={16} />} component={Link} to="/notifications">
        Notifications
      </Menu.Item>
      <Menu.Item leftSection={<IconBeach size={16} />} component={Link} to="/profile#away">
        I am away
      </Menu.Item>
      <Menu.Divider />
      {session ? <Workspaces session={session} onNew={onNew} /> : null}
      <Menu.Divider />
      <Menu.Item
        leftSection={dark ? <IconSun size={16} /> : <IconMoon size={16} />}
        onClick={toggle}
      >
        {dark ? 'Light' : 'Dark'} theme
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openKeySheet}>
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
        Sign out
      </Menu.Item>
      {session?.version ? <Menu.Label>Graphwright {session.version}</Menu.Label> : null}
    </>
  );
}

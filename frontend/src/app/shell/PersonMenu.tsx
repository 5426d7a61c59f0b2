import { Avatar, Menu, UnstyledButton, useComputedColorScheme } from '@mantine/core';
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
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, keepWorkspace } from '../../api/http/client.ts';
import { sessionQuery, useSession } from '../../api/http/queries.ts';
import { useUnread } from '../../api/http/workspace/mentions.ts';
import type { Session } from '../../api/types/types.ts';
import { homeOf, roleLabel } from '../../ui/roles.ts';
import { openKeySheet } from './openLate.ts';
import { NewWorkspace } from './NewWorkspace.tsx';
import classes from './shell.module.css';
import { useToggleScheme } from './useScheme.ts';

/** Begin anew in a workspace: everything that was fetched, and the socket, belonged to the former one. */
export function enterWorkspace(id: string, role: string): void {
  keepWorkspace(id);
  window.location.assign(homeOf(role));
}

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

/** Who you are and where: profile, workspaces, the look of the pages, the way out. */
export function PersonMenu() {
  const { data: session } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toggle = useToggleScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  const [making, setMaking] = useState(false);
  const signOut = async () => {
    await api.delete('session/');
    client.clear();
    await client.fetchQuery(sessionQuery);
    void navigate('/sign-in');
  };
  const name = session?.user?.name ?? 'You';
  const unread = useUnread();
  const told = unread > 0 ? `, ${unread} unread ${unread === 1 ? 'mention' : 'mentions'}` : '';
  return (
    <>
      <Menu position="right-end" width={250} withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className={classes.person} aria-label={`${name}: menu${told}`}>
            <Avatar size={28} radius="xl" color="accent" variant="light">
              {name.slice(0, 1).toUpperCase()}
            </Avatar>
            {unread > 0 ? (
              <span className={classes.count} data-count={Math.min(unread, 99)} />
            ) : null}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} />}>
            <span className={classes.workspaceName}>{name}</span> <small>Profile</small>
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
          {session ? <Workspaces session={session} onNew={() => setMaking(true)} /> : null}
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
        </Menu.Dropdown>
      </Menu>
      <NewWorkspace
        opened={making}
        onClose={() => setMaking(false)}
        onMade={(made) => enterWorkspace(made.id, made.role)}
      />
    </>
  );
}

import { Avatar, Menu, Tooltip, UnstyledButton, useComputedColorScheme } from '@mantine/core';
import { IconBell, IconKeyboard, IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, NavLink, useNavigate } from 'react-router';
import { api } from '../api/client.ts';
import { sessionQuery, useSession } from '../api/queries.ts';
import { openPalette } from './CommandPalette.tsx';
import { openKeySheet } from './KeySheet.tsx';
import { Logo } from './Logo.tsx';
import { places, type Place } from './places.ts';
import classes from './shell.module.css';
import { useOpenCount } from './useOpenCount.ts';
import { useToggleScheme } from './useScheme.ts';

function RailLink({ place, count }: { place: Place; count: number }) {
  const { icon: Glyph, label, path } = place;
  const name = count > 0 ? `${label}, ${count} open` : label;
  return (
    <Tooltip label={label} position="right">
      <NavLink to={path} className={classes.link} aria-label={name}>
        <Glyph size={20} stroke={1.7} aria-hidden />
        <span className={classes.linkLabel}>{label}</span>{' '}
        {count > 0 ? <span className={classes.count}>{count > 999 ? '999+' : count}</span> : null}
      </NavLink>
    </Tooltip>
  );
}

function PersonMenu() {
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
  const name = session?.user?.name ?? 'You';
  return (
    <Menu position="right-end" width={220} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.person} aria-label={`${name}: menu`}>
          <Avatar size={28} radius="xl" color="accent" variant="light">{name.slice(0, 1).toUpperCase()}</Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session?.workspace ? `${name} · ${session.workspace.name}` : name}</Menu.Label>
        <Menu.Item leftSection={<IconBell size={16} />} component={Link} to="/notifications">Notifications</Menu.Item>
        <Menu.Item leftSection={dark ? <IconSun size={16} /> : <IconMoon size={16} />} onClick={toggle}>{dark ? 'Light' : 'Dark'} theme</Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openKeySheet}>Keyboard shortcuts</Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>Sign out</Menu.Item>
        {session?.version ? <Menu.Label>Graphwright {session.version}</Menu.Label> : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The rail: where you can go, what waits for you, who you are. */
export function Rail() {
  const open = useOpenCount();
  return (
    <nav className={classes.rail} aria-label="Main">
      <NavLink to="/workflows" className={classes.logo} aria-label="Graphwright"><Logo /></NavLink>
      {places.map((place) => <RailLink key={place.path} place={place} count={place.counts ? open : 0} />)}
      <span className={classes.gap} />
      <Tooltip label="Go to anything" position="right">
        <UnstyledButton className={`${classes.link} ${classes.wideOnly}`} aria-label="Go to anything" onClick={openPalette}><IconSearch size={20} stroke={1.7} /></UnstyledButton>
      </Tooltip>
      <PersonMenu />
    </nav>
  );
}

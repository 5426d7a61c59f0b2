import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { openPalette } from './openLate.ts';
import { Logo } from './Logo.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { places, type Place } from '../navigation.ts';
import classes from './shell.module.css';
import { useOpenAlerts, useOpenCount } from './useOpenCount.ts';

function RailLink({ place, count }: { place: Place; count: number }) {
  const { icon: Glyph, label, path } = place;
  const noun = place.counts === 'alerts' ? (count === 1 ? ' alert' : ' alerts') : '';
  const name = count > 0 ? `${label}, ${count}${noun} open` : label;
  return (
    <Tooltip label={label} position="right">
      <NavLink to={path} className={classes.link} aria-label={name}>
        <Glyph size={20} stroke={1.7} aria-hidden />
        <span className={classes.linkLabel}>{label}</span>{' '}
        {count > 0 ? (
          <span className={classes.count} data-tone={place.counts}>
            {count > 999 ? '999+' : count}
          </span>
        ) : null}
      </NavLink>
    </Tooltip>
  );
}

/** The rail: where you can go, what waits for you, who you are. */
export function Rail() {
  const counts = { inbox: useOpenCount(), alerts: useOpenAlerts(), nothing: 0 };
  return (
    <nav className={classes.rail} aria-label="Main">
      <NavLink to="/workflows" className={classes.logo} aria-label="Graphwright">
        <Logo />
      </NavLink>
      {places.map((place) => (
        <RailLink key={place.path} place={place} count={counts[place.counts ?? 'nothing']} />
      ))}
      <span className={classes.gap} />
      <Tooltip label="Go to anything" position="right">
        <UnstyledButton
          className={`${classes.link} ${classes.wideOnly}`}
          aria-label="Go to anything"
          onClick={openPalette}
        >
          <IconSearch size={20} stroke={1.7} />
        </UnstyledButton>
      </Tooltip>
      <PersonMenu />
    </nav>
  );
}

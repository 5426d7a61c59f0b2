import { Box } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { type Action, useActions, useShortcuts } from '../../actions/registry.ts';
import { Announcer } from '../../ui/page/Announcer.tsx';
import { useHearAway } from '../../ui/page/lazy/useHearAway.ts';
import { PageSkeleton } from '../../ui/page/Skeletons.tsx';
import {
  CommandPalette,
  ConfirmDialog,
  HeldElsewhere,
  Herald,
  KeySheet,
  openKeySheet,
  openPalette,
} from './openLate.ts';
import { parts, places } from '../navigation.ts';
import { Rail } from './Rail.tsx';
import classes from './shell.module.css';
import { useOwnScheme, useToggleScheme } from './useScheme.ts';

function useShellActions(): void {
  const navigate = useNavigate();
  useOwnScheme();
  const toggleScheme = useToggleScheme();
  const actions = useMemo<Action[]>(
    () => [
      {
        id: 'app.palette',
        label: 'Go to anything',
        group: 'General',
        keys: ['Mod+K'],
        whileTyping: true,
        quiet: true,
        run: openPalette,
      },
      {
        id: 'app.keys',
        label: 'Keyboard shortcuts',
        group: 'General',
        keys: ['?'],
        run: openKeySheet,
      },
      {
        id: 'app.scheme',
        label: 'Switch between light and dark',
        group: 'General',
        also: 'theme colour',
        run: toggleScheme,
      },
      ...parts.map(({ path, label, also }) => ({
        id: `go.${path}`,
        label,
        group: 'Go to',
        also,
        run: () => void navigate(path),
      })),
      ...places.map((place) => ({
        id: `go.${place.path}`,
        label: `Go to ${place.label}`,
        group: 'Go to',
        run: () => void navigate(place.path),
      })),
    ],
    [navigate, toggleScheme],
  );
  useActions(actions);
  useShortcuts();
}

/** The frame of every signed-in page: rail on the left (tab bar on a phone), the page beside it. */
export function Shell() {
  useShellActions();
  useHearAway();
  const { pathname } = useLocation();
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#page">
        Skip to the page
      </a>
      <Rail />
      <Suspense fallback={null}>
        <HeldElsewhere />
      </Suspense>
      <Box component="main" id="page" tabIndex={-1} className={classes.page}>
        <Suspense key={pathname.split('/')[1]} fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </Box>
      <Suspense fallback={null}>
        <CommandPalette />
        <KeySheet />
      </Suspense>
      <Suspense fallback={null}>
        <Herald />
      </Suspense>
      <Suspense fallback={null}>
        <ConfirmDialog />
      </Suspense>
      <Announcer />
    </div>
  );
}

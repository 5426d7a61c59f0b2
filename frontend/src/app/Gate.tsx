import { Loader } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '../api/http/queries.ts';
import { forgetDrafts } from '../store/inbox/ownDrafts.ts';
import { ErrorState } from '../ui/page/EmptyState.tsx';
import classes from './shell/shell.module.css';
import { lazyOnDemand } from '../ui/page/lazy/lazy.ts';

const ClosedWorkspace = lazyOnDemand(() => import('../features/auth/ClosedWorkspace.tsx'));

const open = ['/setup', '/sign-in', '/join', '/forgot-password', '/reset-password'];

/** Sends a stranger to the sign-in page, and the first visitor to the set-up; everybody else gets the page. */
export function Gate() {
  const { data: session, error, refetch } = useSession();
  const { pathname, search } = useLocation();
  const isStranger = session?.authenticated === false;
  useEffect(() => {
    if (isStranger) forgetDrafts();
  }, [isStranger]);
  if (error && !session) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!session)
    return (
      <div className={classes.centre}>
        <Loader size="sm" aria-label="Loading" />
      </div>
    );
  if (session.needs_setup && pathname !== '/setup') return <Navigate to="/setup" replace />;
  if (!session.needs_setup && !session.authenticated && !open.includes(pathname)) {
    return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  const isShut = session.refused !== null && pathname !== '/profile' && !open.includes(pathname);
  return (
    <Suspense fallback={null}>
      {isShut && session.refused ? (
        <ClosedWorkspace session={session} reason={session.refused} />
      ) : (
        <Outlet />
      )}
    </Suspense>
  );
}

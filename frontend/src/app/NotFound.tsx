import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link, useRouteError } from 'react-router';
import { EmptyState, ErrorState } from '../ui/page/EmptyState.tsx';
import { usePageTitle } from '../ui/page/usePageTitle.ts';
import { isCodeGone, NewVersion, reload } from './newVersion.tsx';

/** An address that leads nowhere. */
export function NotFound() {
  usePageTitle('Nothing here');
  return (
    <EmptyState
      icon={IconCompass}
      level={1}
      title="There is nothing at this address"
      action={
        <Button component={Link} to="/workflows">
          Go to workflows
        </Button>
      }
    />
  );
}

/** A page that failed to load or to draw; one whose code is gone is of an older version than the server. */
export function RouteError() {
  const error = useRouteError();
  if (isCodeGone(error)) return <NewVersion />;
  return <ErrorState error={error} onRetry={reload} />;
}

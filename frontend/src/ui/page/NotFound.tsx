import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from './EmptyState.tsx';
import { usePageTitle } from './usePageTitle.ts';

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

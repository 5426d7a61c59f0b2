import { Button } from '@mantine/core';
import { IconCpu } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/page/EmptyState.tsx';

/** Says that no model here can draft, and who connects one. */
export function NoModel({ mayConnect }: { mayConnect: boolean }) {
  return (
    <EmptyState
      icon={IconCpu}
      title="No model here can write a workflow"
      text={
        mayConnect
          ? 'The built-in model picks sentences and labels; it writes nothing of its own. Connect a provider, or a model server on your own machine.'
          : 'The built-in model picks sentences and labels; it writes nothing of its own. An admin of this workspace can connect a provider or a model server.'
      }
      action={
        mayConnect ? (
          <Button component={Link} to="/settings/models" variant="default">
            Connect a model
          </Button>
        ) : null
      }
    />
  );
}

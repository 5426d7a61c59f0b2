import { Button } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { PageSkeleton } from '../../ui/page/Skeletons.tsx';
import type { usePublished } from './usePublished.ts';

/** What stands where a workflow cannot be used yet: it is being read, is not there, or was never published. */
export function Unpublished({
  found: { graph, error, retry },
}: {
  found: ReturnType<typeof usePublished>;
}) {
  if (error)
    return (
      <ErrorState
        error={error}
        onRetry={retry}
        action={
          <Button component={Link} to="/workflows" variant="default">
            All workflows
          </Button>
        }
      />
    );
  if (!graph || graph.published) return <PageSkeleton />;
  return (
    <EmptyState
      icon={IconRocket}
      title={`“${graph.name}” was never published`}
      text="People use the published version. Publish the draft in the editor, then come back."
      action={
        <Button component={Link} to={`/workflows/${graph.id}`}>
          Open the editor
        </Button>
      }
    />
  );
}

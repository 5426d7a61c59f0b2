import { Button } from '@mantine/core';
import { IconFolder, IconRoute, IconSearch } from '@tabler/icons-react';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { spoken } from '../folders/paths.ts';
import type { NewTab } from '../NewWorkflow.tsx';

/** Why the list is empty, and the way on. */
export function NoWorkflows({
  search,
  folder,
  onTab,
  clear,
  leave,
}: {
  search: string;
  folder: string;
  onTab: (tab: NewTab) => void;
  clear: () => void;
  leave: () => void;
}) {
  if (search)
    return (
      <EmptyState
        icon={IconSearch}
        title={`No workflow matches “${search}”`}
        action={
          <Button variant="default" onClick={clear}>
            Clear the search
          </Button>
        }
      />
    );
  if (folder)
    return (
      <EmptyState
        icon={IconFolder}
        title={`Nothing is in ${spoken(folder)} any more`}
        action={
          <Button variant="default" onClick={leave}>
            All workflows
          </Button>
        }
      />
    );
  return (
    <EmptyState
      icon={IconRoute}
      title="Draw your first workflow"
      text="A template runs at once, on your own input, with the built-in model."
      action={
        <Button.Group>
          <Button onClick={() => onTab('template')}>Start from a template</Button>
          <Button variant="default" onClick={() => onTab('blank')}>
            Blank
          </Button>
        </Button.Group>
      }
    />
  );
}

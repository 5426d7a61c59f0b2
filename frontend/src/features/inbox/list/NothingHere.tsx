import { Button } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type InboxView, type InterruptFilter, narrowing } from '../../../api/http/lists.ts';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';

const emptyViews: Record<Exclude<InboxView, 'decide'>, string> = {
  mine: 'Nobody asks for you in person',
  groups: 'Nothing waits for your groups',
  'asks-me': 'Nobody asks you anything',
  asked: 'Nobody is asked about anything you decide',
  claimed: 'You have claimed nothing',
  overdue: 'Nothing is overdue',
  snoozed: 'Nothing is snoozed',
};

/** Why the list is empty, and the way on. */
export function NothingHere({ filter, clear }: { filter: InterruptFilter; clear: () => void }) {
  const narrowed = narrowing.some((name) => filter[name] !== undefined);
  if (filter.view && filter.view !== 'decide' && !narrowed)
    return (
      <EmptyState
        icon={IconInbox}
        title={emptyViews[filter.view]}
        action={
          <Button variant="default" onClick={clear}>
            Show what you can decide
          </Button>
        }
      />
    );
  if (narrowed)
    return (
      <EmptyState
        icon={IconInbox}
        title="Nothing matches"
        action={
          <Button variant="default" onClick={clear}>
            Clear the filters
          </Button>
        }
      />
    );
  if (filter.state === 'done')
    return (
      <EmptyState
        icon={IconInbox}
        title="Nothing decided yet"
        text="Decisions stay here, with who made them and when."
      />
    );
  return (
    <EmptyState
      icon={IconInbox}
      title="Nothing waits for you"
      text="Runs that need a person appear here by themselves."
      action={
        <Button component={Link} to="/runs" variant="default">
          Look at runs
        </Button>
      }
    />
  );
}

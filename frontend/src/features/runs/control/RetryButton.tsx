import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../../../api/http/client.ts';
import type { ForkPoint, RunDetail } from '../../../api/types/types.ts';
import { shownStatus, statusLook } from '../../../ui/status.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { nodeLabel } from '../views/canvasViews.ts';
import { ForkDialog } from './ForkDialog.tsx';
import { retryRun, type RetryVersion, versionOf } from './retryRun.ts';

interface RetryButtonProps {
  run: RunDetail;
  size?: 'xs' | 'sm';
  /** What must be done first, such as saving the draft. */
  before?: () => Promise<void>;
  /** Where the new run is looked at; its own page without it. */
  onNext?: (next: { id: string }) => void;
}

/** Asks first where the run was tried again before: what it sends would be sent a second time. */
function mayRetry({ retried }: RunDetail): boolean | Promise<boolean> {
  if (retried === null) return true;
  return confirm({
    title: 'Try it again once more?',
    text: `It was tried again before; that run ${standing(retried)}. What this one sends is then sent a second time.`,
    confirm: 'Retry once more',
    cancel: 'Leave it',
    danger: retried.status === 'completed',
  });
}

/** A step that somebody rejected did not fail. */
const fromWhere = ({ rejected }: RunDetail): string =>
  `Retry from the ${rejected ? 'rejected' : 'failed'} node`;

const standing = (again: NonNullable<RunDetail['retried']>): string =>
  again.status === 'completed'
    ? 'completed'
    : `is ${statusLook(shownStatus(again)).label.toLowerCase()}`;

/** Goes on from the failed node: with the fixed draft where there is one, else with what ran. */
export function RetryButton({ run, size = 'sm', before, onNext }: RetryButtonProps) {
  const navigate = useNavigate();
  const [late, setLate] = useState<ForkPoint | null>(null);
  const retry = useMutation({
    mutationFn: async (version: RetryVersion) => {
      await before?.();
      return retryRun(run.id, version, (id) => nodeLabel(run.document, id));
    },
    onSuccess: (done) => {
      if (done === null) return;
      if (!('next' in done)) setLate(done.earliest);
      else if (onNext) onNext(done.next);
      else void navigate(`/runs/${done.next.id}`);
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
  const differs = run.draft_differs;
  const go = async (version: RetryVersion) => {
    if (await mayRetry(run)) retry.mutate(version);
  };
  return (
    <>
      <Button.Group>
        <Button
          variant="default"
          size={size}
          leftSection={<IconRefresh size={16} />}
          loading={retry.isPending}
          onClick={() => void go(differs ? 'draft' : 'same')}
        >
          {differs ? 'Retry with the fixed draft' : fromWhere(run)}
        </Button>
        {differs ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="default"
                size={size === 'xs' ? 30 : 36}
                disabled={retry.isPending}
                aria-label="Other ways to retry"
              >
                <IconChevronDown size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void go('draft')}>
                Retry with the fixed draft
                <Text size="xs" c="dimmed">
                  The workflow has changed since this run
                </Text>
              </Menu.Item>
              <Menu.Item onClick={() => void go('same')}>
                Retry with {versionOf(run)}
                <Text size="xs" c="dimmed">
                  Nothing that was changed since is used
                </Text>
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </Button.Group>
      {late ? (
        <TooLateDialog run={run} late={late} onNext={onNext} onClose={() => setLate(null)} />
      ) : null}
    </>
  );
}

/** Offers the earliest start after which an approval is asked again. */
export function TooLateDialog({
  run,
  late,
  onNext,
  onClose,
}: {
  run: RunDetail;
  late: ForkPoint;
  onNext: RetryButtonProps['onNext'];
  onClose: () => void;
}) {
  return (
    <ForkDialog
      run={run}
      from={late.key}
      startWithDraft
      onStarted={onNext}
      note={`An approval was given before the failed node, for what ran then. With the changed draft, the earliest start is ${nodeLabel(run.document, late.node)}, so that it is asked again.`}
      onClose={onClose}
    />
  );
}

import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupsQuery, type MemberGroup } from '../../../../api/http/workspace/people/access.ts';
import { EmptyState, ErrorState } from '../../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../../ui/page/Skeletons.tsx';
import classes from '../../settings.module.css';
import { SettingsSection } from '../../SettingsSection.tsx';
import { GroupForm } from './GroupForm.tsx';
import { RemoveGroup } from './RemoveGroup.tsx';
import { UseList } from './UseList.tsx';

type Open = { what: 'edit' | 'remove'; group: MemberGroup } | { what: 'new' };

/** The groups of the workspace: who is in each, and what asks it. */
export function GroupSettings({ canEdit }: { canEdit: boolean }) {
  const { data, error, refetch } = useQuery(groupsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const add = canEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ what: 'new' })}>
      New group
    </Button>
  ) : null;
  return (
    <SettingsSection
      title="Groups"
      text="People under one name, so that an approval can ask finance rather than somebody by name."
      action={data?.length ? add : null}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={3} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={IconUsersGroup}
          title="No groups yet"
          text={`${canEdit ? 'Make one' : 'An admin can make one'} for those who decide the same things. Approvals, alerts and the gate of a workflow can then ask it.`}
          action={add}
        />
      ) : null}
      {data?.length ? (
        <ul className={classes.rows} aria-label="Groups">
          {data.map((group) => (
            <li key={group.id}>
              <div className={classes.rowMain}>
                <b>{group.name}</b>
                <Text size="sm">
                  {group.members.map((one) => one.name).join(', ') || 'Nobody is in it'}
                </Text>
                <UseList uses={group.used_by} most={5} />
              </div>
              {canEdit ? (
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    aria-label={`Edit ${group.name}`}
                    onClick={() => setOpen({ what: 'edit', group })}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Remove ${group.name}`}
                    onClick={() => setOpen({ what: 'remove', group })}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      <Modal opened={open !== null} onClose={close} title={titleOf(open)}>
        {open?.what === 'new' ? <GroupForm known={null} onDone={close} /> : null}
        {open?.what === 'edit' ? <GroupForm known={open.group} onDone={close} /> : null}
        {open?.what === 'remove' ? <RemoveGroup group={open.group} onDone={close} /> : null}
      </Modal>
    </SettingsSection>
  );
}

function titleOf(open: Open | null): string {
  if (open?.what === 'edit') return open.group.name;
  return open?.what === 'remove' ? `Remove ${open.group.name}?` : 'New group';
}

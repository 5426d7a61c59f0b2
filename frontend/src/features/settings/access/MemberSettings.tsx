import {
  ActionIcon,
  Avatar,
  Button,
  Divider,
  Group,
  Modal,
  Select,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import { IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import { groupsQuery } from '../../../api/http/workspace/people/access.ts';
import { membersQuery } from '../../../api/http/lists.ts';
import type { Member, Role } from '../../../api/types/types.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { LostFactor } from './signIn/LostFactor.tsx';
import { InvitationForm, OpenInvitations } from './Invitations.tsx';
import { roleLabel, roles } from '../../../ui/roles.ts';
import { AwayList } from '../away/AwayList.tsx';
import { AwayNote } from '../away/AwayNote.tsx';
import classes from '../settings.module.css';
import { SettingsSection, useRemove, useSave } from '../SettingsSection.tsx';

/** Who belongs to the workspace, and what each may do. */
export function MemberSettings({ canEdit, me }: { canEdit: boolean; me: string | null }) {
  const { data, error, refetch } = useQuery(membersQuery);
  const [open, setOpen] = useState<Member | 'new' | null>(null);
  const remove = useRemove(membersQuery.queryKey, (id) => api.delete(`members/${id}/`));
  return (
    <SettingsSection
      title="Members"
      text="Roles say what a person may do; groups say which approvals reach them."
      action={
        canEdit ? (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setOpen('new')}>
            Invite somebody
          </Button>
        ) : null
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={4} /> : null}
      {data ? (
        <ul className={classes.rows} aria-label="Members">
          {data.map((member) => (
            <li key={member.id}>
              <Avatar size={32} radius="xl" color="accent" variant="light" aria-hidden>
                {member.user.name.slice(0, 1)}
              </Avatar>
              <div className={classes.rowMain}>
                <Group gap={8}>
                  <b>{member.user.name}</b>
                  {member.user.id === me ? (
                    <Text size="xs" c="dimmed">
                      you
                    </Text>
                  ) : null}
                </Group>
                <Text size="sm" c="dimmed">
                  {member.user.email}
                  {member.groups.length > 0 ? ` · ${member.groups.join(', ')}` : ''}
                </Text>
                <AwayNote user={member.user.id} />
              </div>
              <Text size="sm">{roleLabel(member.role)}</Text>
              {canEdit ? (
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    aria-label={`Edit ${member.user.name}`}
                    onClick={() => setOpen(member)}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Remove ${member.user.name}`}
                    disabled={member.user.id === me}
                    onClick={() =>
                      void remove(member.id, {
                        title: `Remove ${member.user.name}?`,
                        text: 'They lose access at once. Their decisions and runs stay in the record.',
                        confirm: 'Remove',
                      })
                    }
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {canEdit ? <OpenInvitations /> : null}
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open === 'new' ? 'Invite somebody' : open?.user.name}
      >
        {open === 'new' ? <InvitationForm onDone={() => setOpen(null)} /> : null}
        {open && open !== 'new' ? (
          <>
            <MemberForm known={open} onDone={() => setOpen(null)} />
            {open.user.id === me ? null : <LostFactor member={open} />}
            {open.role === 'viewer' ? null : (
              <>
                <Divider my="md" label="Absences" labelPosition="left" />
                <AwayList person={open.user} />
              </>
            )}
          </>
        ) : null}
      </Modal>
    </SettingsSection>
  );
}

function MemberForm({ known, onDone }: { known: Member; onDone: () => void }) {
  const [role, setRole] = useState<Role>(known.role);
  const [groups, setGroups] = useState(known.groups);
  const client = useQueryClient();
  const save = useSave(
    membersQuery.queryKey,
    async () => {
      await api.patch(`members/${known.id}/`, { role, groups });
      await client.invalidateQueries({ queryKey: groupsQuery.queryKey });
    },
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label="Role"
          data={roles}
          value={role}
          allowDeselect={false}
          description={roles.find((each) => each.value === role)?.can}
          inputWrapperOrder={['label', 'input', 'description']}
          onChange={(value) => setRole(roles.find((each) => each.value === value)?.value ?? role)}
        />
        <TagsInput
          label="Groups"
          placeholder={groups.length === 0 ? 'finance' : ''}
          value={groups}
          onChange={setGroups}
        />
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import {
  ActionIcon,
  Avatar,
  Button,
  Group,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconLink, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  invitationsQuery,
  joinLink,
  type NewInvitation,
} from '../../../api/http/workspace/people/access.ts';
import { api, messageOf } from '../../../api/http/client.ts';
import { useSession } from '../../../api/http/queries.ts';
import type { Role } from '../../../api/types/types.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { CopyOnce } from '../../../ui/page/CopyOnce.tsx';
import { roleLabel, roles } from '../../../ui/roles.ts';
import classes from '../settings.module.css';
import { SettingsSection, useRemove } from '../SettingsSection.tsx';

/** Links that nobody followed yet; nothing while there are none. */
export function OpenInvitations() {
  const { data } = useQuery(invitationsQuery);
  const revoke = useRemove(invitationsQuery.queryKey, (id) => api.delete(`invitations/${id}/`));
  if (!data?.length) return null;
  return (
    <SettingsSection title="Open invitations" text="Each link lets one person in, once.">
      <ul className={classes.rows} aria-label="Open invitations">
        {data.map((invitation) => (
          <li key={invitation.id}>
            <Avatar size={32} radius="xl" variant="light" aria-hidden>
              <IconLink size={16} />
            </Avatar>
            <div className={classes.rowMain}>
              <b>{invitation.email || 'Whoever has the link'}</b>
              <Text size="sm" c="dimmed">
                Invited by {invitation.invited_by?.name ?? 'somebody'} · expires{' '}
                <RelativeTime at={invitation.expires_at} />
                {invitation.groups.length > 0 ? ` · ${invitation.groups.join(', ')}` : ''}
              </Text>
            </div>
            <Text size="sm">{roleLabel(invitation.role)}</Text>
            <ActionIcon
              aria-label={`Revoke the invitation of ${invitation.email || 'whoever has the link'}`}
              onClick={() =>
                void revoke(invitation.id, {
                  title: 'Revoke this invitation?',
                  text: 'The link leads nowhere from now on. You can make another.',
                  confirm: 'Revoke',
                })
              }
            >
              <IconTrash size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}

/** Says who may come in as what, then shows the link. */
export function InvitationForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('author');
  const [groups, setGroups] = useState<string[]>([]);
  const sendsMail = useSession().data?.mail === true;
  const make = useMutation({
    mutationFn: () =>
      api.post<NewInvitation>('invitations/', { email: email.trim(), role, groups }),
    onSuccess: () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
  if (make.data) {
    const text = make.data.mailed
      ? `It is on its way to ${make.data.email}. You can also hand over the link yourself: it works once, for seven days, and is not shown again.`
      : 'Send it to the person: it works once, for seven days, and is not shown again.';
    return <CopyOnce label="Link" value={joinLink(make.data.code)} text={text} onDone={onDone} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="E-mail"
          description="With an address the link is for that person only."
          data-autofocus
          type="email"
          placeholder="Anybody"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Select
          label="Role"
          data={roles}
          value={role}
          allowDeselect={false}
          description={roles.find((each) => each.value === role)?.can}
          inputWrapperOrder={['label', 'input', 'description']}
          renderOption={({ option }) => (
            <div>
              {option.label}
              <Text size="xs" c="dimmed">
                {roles.find((each) => each.value === option.value)?.can}
              </Text>
            </div>
          )}
          onChange={(value) => setRole(roles.find((each) => each.value === value)?.value ?? role)}
        />
        <TagsInput
          label="Groups"
          placeholder={groups.length === 0 ? 'finance' : ''}
          value={groups}
          onChange={setGroups}
        />
        {make.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(make.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            {sendsMail && email.trim() ? 'Send the invitation' : 'Make the link'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

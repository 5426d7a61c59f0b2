import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Modal,
  PasswordInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconKey, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import { credentialsQuery } from '../../../api/http/queries.ts';
import type { Credential } from '../../../api/types/types.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import classes from '../settings.module.css';
import { SettingsSection, useRemove, useSave } from '../SettingsSection.tsx';

const kinds = [
  { value: 'bearer', label: 'Bearer token' },
  { value: 'header', label: 'Header' },
  { value: 'basic', label: 'User and password' },
  { value: 'api_key', label: 'API key of a provider' },
];

/** Secrets: written once, never shown again, sent only to their hosts. */
export function CredentialSettings({ canEdit }: { canEdit: boolean }) {
  const { data, error, refetch } = useQuery(credentialsQuery);
  const [open, setOpen] = useState<Credential | 'new' | null>(null);
  const remove = useRemove(credentialsQuery.queryKey, (id) => api.delete(`credentials/${id}/`));
  const add = canEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      New credential
    </Button>
  ) : null;
  return (
    <SettingsSection
      title="Credentials"
      text="A value can be replaced but never read, and it is sent to the hosts named here only."
      action={data?.length ? add : null}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={3} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={IconKey}
          title="No credentials yet"
          text="HTTP requests and tools refer to a credential by its name."
          action={add}
        />
      ) : null}
      {data?.length ? (
        <ul className={classes.rows} aria-label="Credentials">
          {data.map((credential) => (
            <li key={credential.id}>
              <div className={classes.rowMain}>
                <Group gap={8}>
                  <b>{credential.name}</b>
                  <Badge color="gray">
                    {kinds.find((kind) => kind.value === credential.kind)?.label ?? credential.kind}
                  </Badge>
                </Group>
                <Text size="sm" c="dimmed">
                  {credential.hosts.join(', ') || 'no host yet'}
                </Text>
                <Text size="xs" c="dimmed">
                  Made <RelativeTime at={credential.created_at} /> ·{' '}
                  {credential.last_used_at ? (
                    <>
                      used <RelativeTime at={credential.last_used_at} />
                    </>
                  ) : (
                    'never used'
                  )}
                </Text>
              </div>
              {canEdit ? (
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    aria-label={`Replace the value of ${credential.name}`}
                    onClick={() => setOpen(credential)}
                  >
                    <IconRefresh size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Delete ${credential.name}`}
                    onClick={() =>
                      void remove(credential.id, {
                        title: `Delete ${credential.name}?`,
                        text: 'Calls that refer to it will fail. The value cannot be brought back.',
                        confirm: 'Delete',
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
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open === 'new' ? 'New credential' : `Credential ${open?.name ?? ''}`}
      >
        {open === null ? null : (
          <CredentialForm known={open === 'new' ? null : open} onDone={() => setOpen(null)} />
        )}
      </Modal>
    </SettingsSection>
  );
}

function CredentialForm({ known, onDone }: { known: Credential | null; onDone: () => void }) {
  const [name, setName] = useState(known?.name ?? '');
  const [kind, setKind] = useState(known?.kind ?? 'bearer');
  const [hosts, setHosts] = useState(known?.hosts ?? []);
  const [value, setValue] = useState('');
  const save = useSave(
    credentialsQuery.queryKey,
    () =>
      known
        ? api.patch(`credentials/${known.id}/`, { name, hosts, ...(value ? { value } : {}) })
        : api.post('credentials/', { name, kind, hosts, value }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          value={name}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {known ? null : (
          <Select
            label="Kind"
            data={kinds}
            value={kind}
            allowDeselect={false}
            onChange={(next) => setKind(next ?? kind)}
          />
        )}
        <TagsInput
          label="Hosts"
          description="The value is sent to these only"
          placeholder={hosts.length === 0 ? 'api.example.com' : ''}
          value={hosts}
          onChange={setHosts}
        />
        <PasswordInput
          label="Value"
          description={
            known ? 'Leave it empty to keep the stored one' : 'It cannot be read again after this'
          }
          autoComplete="off"
          required={!known}
          withAsterisk={false}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
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

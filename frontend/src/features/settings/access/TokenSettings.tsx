import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconApi, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type NewApiToken, tokensQuery } from '../../../api/http/workspace/access.ts';
import { api, messageOf } from '../../../api/http/client.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { CopyOnce } from './CopyOnce.tsx';
import classes from '../settings.module.css';
import { SettingsSection, useRemove } from '../SettingsSection.tsx';

/** Keys for programs: each acts as its maker in this workspace. */
export function TokenSettings({ me }: { me: string | null }) {
  const { data, error, refetch } = useQuery(tokensQuery);
  const [open, setOpen] = useState(false);
  const revoke = useRemove(tokensQuery.queryKey, (id) => api.delete(`tokens/${id}/`));
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      New token
    </Button>
  );
  return (
    <SettingsSection
      title="API tokens"
      text="A program that sends a token acts as the person who made it, in this workspace."
      action={data?.length ? add : null}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={3} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={IconApi}
          title="No tokens yet"
          text={
            <>
              A program sends one as <code>Authorization: Bearer …</code> to start runs and answer
              questions.
            </>
          }
          action={add}
        />
      ) : null}
      {data?.length ? (
        <ul className={classes.rows} aria-label="API tokens">
          {data.map((token) => (
            <li key={token.id}>
              <div className={classes.rowMain}>
                <b>{token.name}</b>
                <Text size="sm" c="dimmed">
                  {token.user.id === me ? 'Yours' : `Of ${token.user.name}`} · made{' '}
                  <RelativeTime at={token.created_at} /> ·{' '}
                  {token.last_used_at ? (
                    <>
                      used <RelativeTime at={token.last_used_at} />
                    </>
                  ) : (
                    'never used'
                  )}
                </Text>
              </div>
              <ActionIcon
                aria-label={`Revoke ${token.name}`}
                onClick={() =>
                  void revoke(token.id, {
                    title: `Revoke ${token.name}?`,
                    text: 'Programs that send it are refused at once. It cannot be brought back; make another instead.',
                    confirm: 'Revoke',
                  })
                }
              >
                <IconTrash size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      <Modal opened={open} onClose={() => setOpen(false)} title="New token">
        {open ? <TokenForm onDone={() => setOpen(false)} /> : null}
      </Modal>
    </SettingsSection>
  );
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => api.post<NewApiToken>('tokens/', { name: name.trim() }),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  if (make.data)
    return (
      <CopyOnce
        label="Token"
        value={make.data.token}
        text="Copy it now: it is not shown again."
        onDone={onDone}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="Which program it is for."
          placeholder="Nightly import"
          required
          withAsterisk={false}
          maxLength={120}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
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
            Make it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

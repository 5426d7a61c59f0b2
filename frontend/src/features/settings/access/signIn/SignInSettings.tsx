import { Button, Modal, Text } from '@mantine/core';
import { IconBuilding, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { ActionIcon, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../api/http/client.ts';
import {
  type IdentityProvider,
  identityProvidersQuery,
} from '../../../../api/http/workspace/people/signIn.ts';
import type { Session } from '../../../../api/types/types.ts';
import { ErrorState } from '../../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../../ui/page/Skeletons.tsx';
import classes from '../../settings.module.css';
import { SettingsSection, useRemove } from '../../SettingsSection.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import { RuleForm } from './RuleForm.tsx';

/** How people sign in to this workspace: its rule, and the firm's own sign-in. */
export function SignInSettings({ workspace }: { workspace: NonNullable<Session['workspace']> }) {
  const { data, error, refetch } = useQuery(identityProvidersQuery);
  const [open, setOpen] = useState<IdentityProvider | 'new' | null>(null);
  const remove = useRemove(identityProvidersQuery.queryKey, (id) =>
    api.delete(`identity-providers/${id}/`),
  );
  return (
    <div>
      <SettingsSection
        title="What this workspace asks for"
        text="Of everybody who enters, in every browser. API tokens go on; take back those that should not."
      >
        <RuleForm key={workspace.sign_in} known={workspace.sign_in} />
      </SettingsSection>
      <SettingsSection
        title="The firm’s own sign-in"
        text="People continue with their account at the firm, and get here what their groups there give."
        action={
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
            Add a provider
          </Button>
        }
      >
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <ListSkeleton rows={2} /> : null}
        {data?.length === 0 ? (
          <Text size="sm" c="dimmed">
            None yet. Any provider that speaks OpenID Connect will do: Entra, Okta, Google,
            Keycloak.
          </Text>
        ) : null}
        {data && data.length > 0 ? (
          <ul className={classes.rows} aria-label="Providers">
            {data.map((provider) => (
              <li key={provider.id}>
                <IconBuilding size={20} aria-hidden />
                <div className={classes.rowMain}>
                  <b>{provider.name}</b>
                  <Text size="sm" c="dimmed">
                    {provider.issuer} · {provider.people}{' '}
                    {provider.people === 1 ? 'person' : 'people'}
                  </Text>
                </div>
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    aria-label={`Edit ${provider.name}`}
                    onClick={() => setOpen(provider)}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Remove ${provider.name}`}
                    onClick={() =>
                      void remove(provider.id, {
                        title: `Remove ${provider.name}?`,
                        text: 'Whoever signed in by it is signed out, and who has no other way in stays out.',
                        confirm: 'Remove',
                      })
                    }
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              </li>
            ))}
          </ul>
        ) : null}
        <Modal
          opened={open !== null}
          onClose={() => setOpen(null)}
          size="lg"
          title={open === 'new' ? 'A provider' : open?.name}
        >
          {open ? (
            <ProviderForm known={open === 'new' ? null : open} onDone={() => setOpen(null)} />
          ) : null}
        </Modal>
      </SettingsSection>
    </div>
  );
}

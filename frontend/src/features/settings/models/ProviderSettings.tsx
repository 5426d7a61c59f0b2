import { ActionIcon, Badge, Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconKey, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import { modelsQuery } from '../../../api/http/queries.ts';
import type { ModelProvider, ProviderUser } from '../../../api/types/types.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { KeyForm, ProviderForm } from './ProviderForm.tsx';
import classes from '../settings.module.css';
import { SettingsSection } from '../SettingsSection.tsx';

const kinds = { default: 'as', agent: 'agent', workflow: 'workflow' } as const;

function whoUses(users: readonly ProviderUser[]): string {
  if (users.length === 0) return 'Nothing uses its models.';
  const shown = users
    .slice(0, 8)
    .map((user) => `${kinds[user.kind]} ${user.name}`)
    .join(', ');
  return `Used ${users[0]?.kind === 'default' ? '' : 'by '}${shown}${users.length > 8 ? ` and ${users.length - 8} more` : ''}: their model calls will fail until they name another model.`;
}

function stateOf(provider: ModelProvider): { text: string; color: string } {
  if (provider.source !== 'hosted')
    return provider.reachable === false
      ? { text: 'does not answer', color: 'yellow' }
      : { text: 'answers', color: 'green' };
  if (provider.has_key) return { text: 'key set', color: 'green' };
  return provider.from_environment
    ? { text: 'key of the environment', color: 'green' }
    : { text: 'no key', color: 'gray' };
}

function about(provider: ModelProvider): string {
  if (provider.source === 'hosted')
    return provider.has_key || provider.from_environment
      ? 'Its models are in the list above.'
      : 'Set a key to use its models.';
  const count = provider.models.length;
  const models =
    count === 0
      ? 'no models known'
      : count > 4
        ? `${provider.models.slice(0, 4).join(', ')} and ${count - 4} more`
        : provider.models.join(', ');
  return [
    models,
    provider.has_key ? 'with a key' : 'without a key',
    provider.headers.length > 0 ? `headers ${provider.headers.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

type Open = { kind: 'add' } | { kind: 'edit' | 'key'; provider: ModelProvider } | null;

/** Where models come from: servers by address, and the keys of the known providers. */
export function ProviderSettings({
  providers,
  canEdit,
}: {
  providers: readonly ModelProvider[];
  canEdit: boolean;
}) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const title =
    open?.kind === 'add'
      ? 'Add a model server'
      : open?.kind === 'key'
        ? `Key of ${open.provider.label}`
        : open?.provider.label;
  const add = canEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ kind: 'add' })}>
      Add a server
    </Button>
  ) : null;
  return (
    <SettingsSection
      title="Providers"
      text="Servers that speak OpenAI's API, by their address, and the keys of known providers. A key is sent to its provider only and never shown."
      action={add}
    >
      <ul className={classes.rows} aria-label="Providers">
        {providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} canEdit={canEdit} onOpen={setOpen} />
        ))}
      </ul>
      <Modal
        opened={open !== null}
        onClose={close}
        title={title}
        size={open?.kind === 'key' ? 'md' : 'lg'}
      >
        {open?.kind === 'add' ? <ProviderForm known={null} onDone={close} /> : null}
        {open?.kind === 'edit' ? <ProviderForm known={open.provider} onDone={close} /> : null}
        {open?.kind === 'key' ? <KeyForm provider={open.provider} onDone={close} /> : null}
      </Modal>
    </SettingsSection>
  );
}

function ProviderRow({
  provider,
  canEdit,
  onOpen,
}: {
  provider: ModelProvider;
  canEdit: boolean;
  onOpen: (open: Open) => void;
}) {
  const remove = useRemoval(provider);
  const state = stateOf(provider);
  const hosted = provider.source === 'hosted';
  const removable = !hosted || provider.has_key || provider.from_environment;
  return (
    <li>
      <div className={classes.rowMain}>
        <Group gap={8}>
          <b>{provider.label}</b>
          <span className="gw-mono">{provider.id}</span>
          <Badge color={state.color} variant="light">
            {state.text}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed" className="gw-mono">
          {provider.base_url}
        </Text>
        <Text size="xs" c="dimmed">
          {about(provider)}
        </Text>
        {provider.problem ? <Text size="xs">{provider.problem}</Text> : null}
      </div>
      {canEdit ? (
        <Group gap={2} wrap="nowrap">
          {hosted ? (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconKey size={14} />}
              onClick={() => onOpen({ kind: 'key', provider })}
            >
              {provider.has_key ? 'Replace key' : 'Set key'}
            </Button>
          ) : null}
          {provider.source === 'own' || provider.source === 'machine' ? (
            <ActionIcon
              aria-label={`Edit ${provider.label}`}
              onClick={() => onOpen({ kind: 'edit', provider })}
            >
              <IconPencil size={16} />
            </ActionIcon>
          ) : null}
          {removable ? (
            <ActionIcon
              aria-label={`Remove ${hosted ? 'the key of ' : ''}${provider.label}`}
              onClick={() => void remove()}
            >
              <IconTrash size={16} />
            </ActionIcon>
          ) : null}
        </Group>
      ) : null}
    </li>
  );
}

/** Ask with the names of who uses it, then remove it. */
function useRemoval(provider: ModelProvider): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      const { used_by } = await api.get<{ used_by: ProviderUser[] }>(
        `models/providers/${provider.id}/`,
      );
      if (
        !(await confirm({
          title: `Remove ${provider.label}?`,
          text: `${whoUses(used_by)} Its key is forgotten.`,
          confirm: 'Remove',
          danger: true,
        }))
      )
        return;
      await api.delete(`models/providers/${provider.id}/?anyway=true`);
      await client.invalidateQueries({ queryKey: modelsQuery.queryKey });
    } catch (error) {
      notifications.show({ color: 'red', title: 'It was not removed', message: messageOf(error) });
    }
  };
}

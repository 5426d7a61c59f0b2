import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core';
import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ProviderUse } from '../../../api/http/workspace/models.ts';
import type { ModelProvider } from '../../../api/types/types.ts';
import classes from '../settings.module.css';
import rows from './models.module.css';
import { capital } from '../../../ui/format/format.ts';
import { providerLine, providerState } from './line.ts';
import { useProviderTrial } from './ModelTrial.tsx';

export type Opened = 'edit' | 'key' | 'remove';

/** A provider in a line: what it has, how it answered, what it cost, who uses it. */
export function ProviderRow({
  provider,
  use,
  canEdit,
  onOpen,
}: {
  provider: ModelProvider;
  use: ProviderUse | undefined;
  canEdit: boolean;
  onOpen: (kind: Opened) => void;
}) {
  const trial = useProviderTrial(provider.id, provider.label);
  const state = providerState(provider);
  const hosted = provider.source === 'hosted';
  const isSet = !hosted || provider.has_key || provider.from_environment;
  const failure = provider.tested?.error ?? '';
  return (
    <li className={rows.provider}>
      <div className={classes.rowMain}>
        <Group gap={8}>
          <b>{provider.label}</b>
          <span className="gw-mono">{provider.id}</span>
          <Badge color={state.color} variant="light">
            {state.text}
          </Badge>
        </Group>
        <Text size="sm">{providerLine(provider, use, canEdit)}</Text>
        <Text size="xs" c="dimmed" className="gw-mono">
          {provider.base_url}
        </Text>
        {provider.problem && failure === '' ? (
          <Text size="xs">{capital(provider.problem)}</Text>
        ) : null}
        {failure && trial.result === null ? (
          <Text size="xs" c="red">
            {failure}
          </Text>
        ) : null}
        {trial.result}
      </div>
      {canEdit ? (
        <Group gap={6} justify="flex-end">
          {isSet ? trial.button : null}
          {hosted ? (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconKey size={14} />}
              onClick={() => onOpen('key')}
            >
              {provider.has_key ? 'Replace key' : 'Set key'}
            </Button>
          ) : null}
          {provider.source === 'own' || provider.source === 'machine' ? (
            <ActionIcon aria-label={`Edit ${provider.label}`} onClick={() => onOpen('edit')}>
              <IconPencil size={16} />
            </ActionIcon>
          ) : null}
          {isSet ? (
            <ActionIcon
              aria-label={`Remove ${hosted ? 'the key of ' : ''}${provider.label}`}
              onClick={() => onOpen('remove')}
            >
              <IconTrash size={16} />
            </ActionIcon>
          ) : null}
        </Group>
      ) : null}
    </li>
  );
}

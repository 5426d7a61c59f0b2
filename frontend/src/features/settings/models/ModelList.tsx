import { Badge, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import { modelsQuery } from '../../../api/http/queries.ts';
import type { FoundProvider, ModelInfo, Models } from '../../../api/types/types.ts';
import { formatUsd } from '../../../ui/format/format.ts';
import { useTrial } from './ModelTrial.tsx';
import pages from '../../../ui/page/pages.module.css';
import classes from '../settings.module.css';

function priceText(price: ModelInfo['price']): string {
  if (price === null) return 'No price known';
  if (Number(price.input_per_million) === 0 && Number(price.output_per_million) === 0)
    return 'Free';
  return `${formatUsd(price.input_per_million)} in · ${formatUsd(price.output_per_million)} out per million tokens${price.dated === null ? '' : `, of ${price.dated}`}`;
}

/** Every model that this workspace can use, with what it can do and what it costs. */
export function ModelList({ models, canEdit }: { models: Models; canEdit: boolean }) {
  const client = useQueryClient();
  const choose = useMutation({
    mutationFn: (id: string) => api.patch('workspace/', { settings: { default_model: id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: modelsQuery.queryKey }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'The default was not changed',
        message: messageOf(error),
      }),
  });
  return (
    <ul className={classes.rows} aria-label="Models">
      {models.models.map((model) => (
        <ModelRow key={model.id} model={model} canEdit={canEdit}>
          {model.id === models.default_model ? (
            <Badge leftSection={<IconCheck size={12} />}>default</Badge>
          ) : null}
          {model.id !== models.default_model && canEdit && model.available ? (
            <Button
              variant="default"
              size="xs"
              loading={choose.isPending && choose.variables === model.id}
              onClick={() => choose.mutate(model.id)}
            >
              Make default
            </Button>
          ) : null}
        </ModelRow>
      ))}
    </ul>
  );
}

function ModelRow({
  model,
  canEdit,
  children,
}: {
  model: ModelInfo;
  canEdit: boolean;
  children: ReactNode;
}) {
  const trial = useTrial(model.id);
  return (
    <li>
      <div className={classes.rowMain}>
        <Group gap={8}>
          <b>{model.label}</b>
          <span className="gw-mono">{model.id}</span>
          {model.available ? null : <Badge color="gray">not reachable</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {model.description}
        </Text>
        <Text size="xs" c="dimmed">
          {priceText(model.price)}
        </Text>
        {trial.result}
      </div>
      <Group gap={6} justify="flex-end">
        {canEdit ? trial.button : null}
        {children}
      </Group>
    </li>
  );
}

/** Providers that were found here: keys in the environment, servers on this machine. */
export function FoundList({
  found,
  canEdit,
}: {
  found: readonly FoundProvider[];
  canEdit: boolean;
}) {
  const client = useQueryClient();
  const accept = useMutation({
    mutationFn: (id: string) => api.post('models/accept/', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: modelsQuery.queryKey }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'It was not accepted', message: messageOf(error) }),
  });
  if (found.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing was found. Start Ollama, LM Studio, llama-server or vLLM on this machine, or put a
        provider key into the environment, and come back.
      </Text>
    );
  }
  return (
    <ul className={classes.rows} aria-label="Found providers">
      {found.map((provider) => (
        <li key={provider.id}>
          <div className={classes.rowMain}>
            <Group gap={8}>
              <b>{provider.label}</b>
              <Badge color="gray">
                {provider.source === 'environment' ? 'key in the environment' : 'on this machine'}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed" className="gw-mono">
              {provider.base_url}
            </Text>
            <Text size="xs" c="dimmed">
              {provider.models.length > 0
                ? provider.models.join(', ')
                : 'models are listed after it is accepted'}
            </Text>
          </div>
          {provider.accepted ? (
            <span className={pages.tag} data-tone-of="live">
              accepted
            </span>
          ) : null}
          {!provider.accepted && canEdit ? (
            <Button
              size="xs"
              loading={accept.isPending && accept.variables === provider.id}
              onClick={() => accept.mutate(provider.id)}
            >
              Use it
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import { modelsQuery } from '../../../api/http/queries.ts';
import type { ModelInfo, Models } from '../../../api/types/types.ts';
import { formatUsd } from '../../../ui/format/format.ts';
import { useTrial } from './ModelTrial.tsx';
import classes from '../settings.module.css';

function priceText(price: ModelInfo['price']): string {
  if (price === null) return 'No price known';
  if (Number(price.input_per_million) === 0 && Number(price.output_per_million) === 0)
    return 'Free';
  return `${formatUsd(price.input_per_million)} in · ${formatUsd(price.output_per_million)} out per million tokens${price.dated === null ? '' : `, of ${price.dated}`}`;
}

const MOST_SHOWN = 30;

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
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const fitting = models.models.filter((model) => model.id.toLowerCase().includes(words));
  const shown = fitting.slice(0, MOST_SHOWN);
  const isLong = models.models.length > MOST_SHOWN;
  return (
    <>
      {isLong ? (
        <TextInput
          aria-label="Find a model"
          placeholder="Find a model by name"
          mb="xs"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      <ul className={classes.rows} aria-label="Models">
        {shown.map((model) => (
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
        {isLong ? (
          <li>
            <Text size="sm" c="dimmed" role="status">
              {fitting.length === 0
                ? 'No model has such a name.'
                : `${shown.length} of ${fitting.length} models: write more of a name to see others.`}
            </Text>
          </li>
        ) : null}
      </ul>
    </>
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

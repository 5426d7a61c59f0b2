import { Badge, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import { modelsQuery } from '../../../api/http/queries.ts';
import type { FoundProvider } from '../../../api/types/types.ts';
import pages from '../../../ui/page/pages.module.css';
import classes from '../settings.module.css';

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

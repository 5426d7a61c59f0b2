import { Anchor, Button, Checkbox, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { api, messageOf } from '../../../../api/http/client.ts';
import { modelsQuery } from '../../../../api/http/queries.ts';
import type { ModelProvider, ProviderUser } from '../../../../api/types/types.ts';
import { ListSkeleton } from '../../../../ui/page/Skeletons.tsx';
import { useSave } from '../../SettingsSection.tsx';
import { placeOf } from '../line.ts';
import classes from '../models.module.css';

const KINDS = { default: '', agent: 'Agent ', workflow: 'Workflow ' } as const;

/** Remove a provider; of one in use who uses it is shown first, and has to be accepted. */
export function RemoveProvider({
  provider,
  onDone,
}: {
  provider: ModelProvider;
  onDone: () => void;
}) {
  const { data, error } = useQuery({
    queryKey: ['provider-users', provider.id],
    queryFn: () => api.get<{ used_by: ProviderUser[] }>(`models/providers/${provider.id}/`),
    gcTime: 0,
  });
  const [anyway, setAnyway] = useState(false);
  const users = data?.used_by ?? [];
  const remove = useSave(
    modelsQuery.queryKey,
    () => api.delete(`models/providers/${provider.id}/${users.length > 0 ? '?anyway=true' : ''}`),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate(undefined);
  };
  const failed = error ?? remove.error;
  if (!data && !error) return <ListSkeleton rows={2} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {users.length === 0 ? (
          <Text size="sm">
            Nothing uses its models. Its key is forgotten; what was spent stays in the record.
          </Text>
        ) : (
          <>
            <Text size="sm">Its models are used by:</Text>
            <List size="sm" className={classes.users}>
              {users.map((user) => (
                <List.Item key={`${user.kind}/${user.id}`}>
                  <Anchor component={Link} to={placeOf(user)} inherit underline="always">
                    {KINDS[user.kind]}
                    {user.name}
                  </Anchor>
                </List.Item>
              ))}
            </List>
            <Checkbox
              label="Remove it all the same. Their model calls fail until they name another model."
              checked={anyway}
              onChange={(event) => setAnyway(event.currentTarget.checked)}
            />
          </>
        )}
        {failed ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(failed)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone} data-autofocus>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red"
            loading={remove.isPending}
            disabled={users.length > 0 && !anyway}
          >
            Remove
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

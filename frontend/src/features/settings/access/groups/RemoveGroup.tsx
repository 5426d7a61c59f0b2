import { Button, Group, Stack, Text } from '@mantine/core';
import { groupsQuery, type MemberGroup } from '../../../../api/http/workspace/people/access.ts';
import { api } from '../../../../api/http/client.ts';
import { SaveProblem, useSave } from '../../SettingsSection.tsx';
import { UseList } from './UseList.tsx';

/** End a group; while something names it, what that is, and no way to end it. */
export function RemoveGroup({ group, onDone }: { group: MemberGroup; onDone: () => void }) {
  const remove = useSave(groupsQuery.queryKey, () => api.delete(`groups/${group.id}/`), onDone);
  const isUsed = group.used_by.length > 0;
  return (
    <Stack gap="sm">
      {isUsed ? (
        <>
          <Text size="sm">It can be removed once nothing names it. Change these first:</Text>
          <UseList uses={group.used_by} />
        </>
      ) : (
        <Text size="sm">
          Nothing asks it. Its members stay in the workspace; only the group is gone.
        </Text>
      )}
      <SaveProblem error={remove.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone} data-autofocus>
          {isUsed ? 'Close' : 'Cancel'}
        </Button>
        {isUsed ? null : (
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
            Remove
          </Button>
        )}
      </Group>
    </Stack>
  );
}

import { Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { groupsQuery, type MemberGroup } from '../../../../api/http/workspace/people/access.ts';
import { api } from '../../../../api/http/client.ts';
import { membersQuery } from '../../../../api/http/lists.ts';
import { SaveProblem, useSave } from '../../SettingsSection.tsx';
import { keepsName } from './uses.ts';
import ui from '../../../../ui/ui.module.css';

/** Make a group, or change its name and who is in it. */
export function GroupForm({ known, onDone }: { known: MemberGroup | null; onDone: () => void }) {
  const { data: people } = useQuery(membersQuery);
  const client = useQueryClient();
  const before = known?.members.map((one) => one.id) ?? [];
  const [name, setName] = useState(known?.name ?? '');
  const [members, setMembers] = useState(before);
  const isFixed = known !== null && keepsName(known.used_by);
  const save = useSave(
    groupsQuery.queryKey,
    async () => {
      const body = {
        name: name.trim(),
        add: members.filter((one) => !before.includes(one)),
        remove: before.filter((one) => !members.includes(one)),
      };
      await (known
        ? api.patch(`groups/${known.id}/`, body)
        : api.post('groups/', { name: body.name, members }));
      await client.invalidateQueries({ queryKey: membersQuery.queryKey });
    },
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
          description={
            isFixed
              ? 'Workflows or open approvals ask it by this name, so it stays.'
              : 'Approvals ask the group by this name.'
          }
          placeholder="finance"
          required
          withAsterisk={false}
          maxLength={64}
          readOnly={isFixed}
          data-autofocus={isFixed ? undefined : true}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <MultiSelect
          label="Members"
          placeholder={members.length === 0 ? 'Nobody yet' : ''}
          searchable
          data={(people ?? []).map(({ user }) => ({ value: user.id, label: user.name }))}
          value={members}
          onChange={setMembers}
          nothingFoundMessage="Nobody of this name"
        />
        <SaveProblem error={save.error} />
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            {known ? 'Save' : 'Make the group'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

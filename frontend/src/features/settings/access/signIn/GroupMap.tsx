import {
  ActionIcon,
  Button,
  Group,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { MappedGroup } from '../../../../api/http/workspace/people/signIn.ts';
import { roles } from '../../../../ui/roles.ts';

/** What each group of the firm gives here; the first that fits a person gives the role. */
export function GroupMap({
  rows,
  onChange,
}: {
  rows: MappedGroup[];
  onChange: (rows: MappedGroup[]) => void;
}) {
  const set = (at: number, part: Partial<MappedGroup>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <Stack gap="xs" role="group" aria-label="Groups">
      <Text size="sm" fw={500}>
        What groups of the firm give here
      </Text>
      <Text size="xs" c="dimmed">
        Who is in none of them stays outside. The first that fits gives the role; * is everybody.
      </Text>
      {rows.map((row, at) => (
        <Group key={at} gap="xs" align="flex-start">
          <TextInput
            aria-label={`Group ${at + 1}`}
            placeholder="finance"
            required
            maxLength={200}
            w={150}
            value={row.group}
            onChange={(event) => set(at, { group: event.currentTarget.value })}
          />
          <Select
            aria-label={`Role of group ${at + 1}`}
            data={roles}
            allowDeselect={false}
            w={130}
            value={row.role}
            onChange={(value) =>
              set(at, { role: roles.find((each) => each.value === value)?.value ?? row.role })
            }
          />
          <TagsInput
            aria-label={`Groups here of group ${at + 1}`}
            placeholder={row.groups.length === 0 ? 'Groups here' : ''}
            style={{ flex: 1, minWidth: 120 }}
            value={row.groups}
            onChange={(groups) => set(at, { groups })}
          />
          <ActionIcon
            mt={8}
            aria-label={`Remove group ${at + 1}`}
            onClick={() => onChange(rows.filter((_row, index) => index !== at))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...rows, { group: '', role: 'viewer', groups: [] }])}
        >
          Add a group
        </Button>
      </Group>
    </Stack>
  );
}

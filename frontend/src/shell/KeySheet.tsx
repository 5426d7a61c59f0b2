import { Group, Modal, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { create } from 'zustand';
import { type Action, allActions, keysOf, useRegistry } from '../actions/registry.ts';
import { Kbd } from '../ui/Kbd.tsx';

const useOpen = create(() => ({ opened: false }));

/** Show every shortcut of this page. */
export const openKeySheet = () => useOpen.setState({ opened: true });

function byGroup(actions: Action[]): [string, Action[]][] {
  const groups = new Map<string, Action[]>();
  for (const action of actions) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  return [...groups];
}

/** The `?` sheet, drawn from the action registry. */
export function KeySheet() {
  const opened = useOpen((state) => state.opened);
  const registry = useRegistry();
  const actions = allActions(registry).filter((action) => keysOf(action, registry).length > 0);
  return (
    <Modal opened={opened} onClose={() => useOpen.setState({ opened: false })} title="Keyboard shortcuts" size="xl">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
        {byGroup(actions).map(([group, rows]) => (
          <Stack key={group} gap={4}>
            <Title order={4} mb={4}>{group}</Title>
            {rows.map((action) => (
              <Group key={action.id} justify="space-between" wrap="nowrap" mih={26}>
                <Text size="sm" c="dimmed">{action.label}</Text>
                <Group gap={8} wrap="nowrap">{keysOf(action, registry).slice(0, 2).map((keys) => <Kbd key={keys} keys={keys} />)}</Group>
              </Group>
            ))}
          </Stack>
        ))}
      </SimpleGrid>
      <Switch
        mt="lg" label="Shortcuts of a single key" checked={registry.singleKeys}
        onChange={(event) => useRegistry.setState({ singleKeys: event.currentTarget.checked })}
      />
    </Modal>
  );
}

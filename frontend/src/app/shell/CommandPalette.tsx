import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { IconRoute, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { allActions, keysOf, useRegistry } from '../../actions/registry.ts';
import { graphsQuery } from '../../api/http/queries.ts';
import { Kbd } from '../../ui/keys/Kbd.tsx';

const [store, spotlight] = createSpotlight();

/** Open the palette (`Mod+K`). */
export const openPalette = () => spotlight.open();

function useGroups(): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const registry = useRegistry();
  const { data: graphs } = useQuery(graphsQuery());
  const groups = new Map<string, SpotlightActionData[]>();
  for (const action of allActions(registry).toReversed()) {
    if (action.quiet || action.enabled?.() === false) continue;
    const keys = keysOf(action, registry)[0];
    const row = {
      id: action.id,
      label: action.label,
      keywords: action.also ?? '',
      onClick: () => action.run(),
      rightSection: keys ? <Kbd keys={keys} /> : null,
    };
    groups.set(action.group, [row, ...(groups.get(action.group) ?? [])]);
  }
  const workflows = (graphs ?? []).map((graph) => ({
    id: `graph.${graph.id}`,
    label: graph.name,
    keywords: `${graph.slug} ${graph.tags.join(' ')}`,
    leftSection: <IconRoute size={16} />,
    onClick: () => void navigate(`/workflows/${graph.id}`),
  }));
  const actions = [...groups].map(([group, rows]) => ({ group, actions: rows }));
  return workflows.length > 0 ? [{ group: 'Workflows', actions: workflows }, ...actions] : actions;
}

/** `Mod+K`: every workflow, every place, everything that can be done on this page. */
export function CommandPalette() {
  return (
    <Spotlight
      store={store}
      actions={useGroups()}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound="Nothing by that name"
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.7} />,
        placeholder: 'Go to a workflow, or do something',
        'aria-label': 'Go to anything',
      }}
    />
  );
}

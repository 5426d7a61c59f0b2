import '@mantine/spotlight/styles.css';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { IconRoute, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { allActions, keysOf, useRegistry } from '../../../actions/registry.ts';
import { graphsQuery } from '../../../api/http/queries.ts';
import { searchQuery } from '../../../api/http/search.ts';
import { PALETTE, takeTyped } from '../../../ui/keys/earlyKeys.ts';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { eachOnce, foundId, inGroups, kindNames, matching, placeOf, stillMeant } from './found.ts';

const TYPED_MS = 200;
const [store, spotlight] = createSpotlight();

/** Show the palette. */
export const show = () => spotlight.open();

/** What the server finds by the words, once the typing rests; of before only what says them too. */
function useFound(text: string): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const [words] = useDebouncedValue(text.trim(), TYPED_MS);
  const { data, isPlaceholderData } = useQuery({
    ...searchQuery(words),
    placeholderData: (before) => before,
  });
  if (text.trim().length < 2) return [];
  const results = data?.results ?? [];
  const isOlder = isPlaceholderData || words !== text.trim();
  const groups = new Map<string, SpotlightActionData[]>();
  for (const found of isOlder ? stillMeant(text, results) : results) {
    const name = kindNames[found.kind];
    const row = {
      id: foundId(found),
      label: found.title,
      description: found.note,
      onClick: () => void navigate(placeOf(found)),
    };
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].map(([group, actions]) => ({ group, actions }));
}

/** What came late begins with its first row, as what is there at once does: Enter opens it. */
function pickFirst(): void {
  const { listId, opened } = store.getState();
  const list = opened && listId ? document.getElementById(listId) : null;
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** Open what is chosen once the rows are those of the text: Enter was pressed before the field was there. */
function pressEnter(field: HTMLInputElement): void {
  const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true };
  setTimeout(() => field.dispatchEvent(new KeyboardEvent('keydown', enter)), TYPED_MS);
}

function useGroups(text: string): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const registry = useRegistry();
  const { data: graphs } = useQuery(graphsQuery());
  const found = useFound(text);
  const late = found.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ');
  useEffect(() => {
    if (late) pickFirst();
  }, [late]);
  const groups = new Map<string, SpotlightActionData[]>();
  const offered = allActions(registry).filter(
    (action) => !action.quiet && action.enabled?.() !== false,
  );
  for (const action of eachOnce(offered.toReversed())) {
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
  if (found.length > 0) return inGroups([...found, ...actions]);
  return workflows.length > 0
    ? inGroups([{ group: 'Workflows', actions: workflows }, ...actions])
    : actions;
}

/** `Mod+K`: every workflow, run, item, agent, person and place, and all that can be done on this page. */
export function CommandPalette() {
  const [text, setText] = useState('');
  useEffect(() => pickFirst(), [text]);
  return (
    <Spotlight
      store={store}
      query={text}
      onQueryChange={setText}
      filter={matching}
      actions={useGroups(text)}
      shortcut={null}
      onSpotlightOpen={() => setText('')}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound="Nothing by that name"
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.7} />,
        placeholder: 'Find a workflow, run, item or person, or do something',
        'aria-label': PALETTE,
        onFocus: ({ currentTarget }) => {
          const { text: typed, entered } = takeTyped();
          if (typed !== '') setText((before) => before + typed);
          if (entered && typed !== '') pressEnter(currentTarget);
        },
      }}
    />
  );
}

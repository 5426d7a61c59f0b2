import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEditor } from '../../../store/editor.ts';
import { NamedIcon } from '../../../ui/icons/NamedIcon.tsx';

const [store, spotlight] = createSpotlight();

/** Show the finder. */
export const show = () => spotlight.open();

/** Find a node by label, id, type, or any text of its config. */
export function FindNode({ onPick }: { onPick: (id: string) => void }) {
  const nodes = useEditor((state) => state.records.nodes);
  const types = useEditor((state) => state.types);
  const actions = [...nodes.values()].map((node) => {
    const type = types.get(node.type);
    return {
      id: node.id,
      label: node.label || node.id,
      description: type?.label ?? node.type,
      leftSection: <NamedIcon name={type?.icon ?? 'circle'} size={18} />,
      keywords: `${node.id} ${node.type} ${JSON.stringify(node.config ?? {})}`,
      onClick: () => onPick(node.id),
    };
  });
  return (
    <Spotlight
      store={store}
      actions={actions}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight={360}
      nothingFound="No node with these words"
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.7} />,
        placeholder: 'Find a node by name or content',
        'aria-label': 'Find a node',
      }}
    />
  );
}

import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconArrowRight } from '@tabler/icons-react';
import { create } from 'zustand';
import { connect } from '../../../graph/editing/operations.ts';
import { reroute } from '../../../graph/wiring/rewire.ts';
import { useEditor } from '../../../store/editor.ts';
import { type ConnectRow, connectRows, rerouteRows, searchRows } from './connectRows.ts';

const [store, spotlight] = createSpotlight();

/** What is asked: where a node's next wire leads, or where a wire ends instead. */
type Asked = { kind: 'node' | 'wire'; id: string };

const useAsked = create<{ asked: Asked | null }>(() => ({ asked: null }));
const SHOWN = 60;

/** Show what the next wire of a node, or a wire, can lead to. */
export function show(kind: Asked['kind'], id: string): void {
  useAsked.setState({ asked: { kind, id } });
  spotlight.open();
}

function choose({ kind, id }: Asked, row: ConnectRow): void {
  const { gesture } = useEditor.getState();
  if (kind === 'wire') gesture('Lead elsewhere', (records) => reroute(records, id, row.target));
  else gesture('Connect', (records) => connect(records, id, row.port, row.target));
}

/** The list of nodes that a wire can lead to: type a few letters, Enter. */
export function ConnectMenu() {
  const asked = useAsked((state) => state.asked);
  const records = useEditor((state) => (asked ? state.records : null));
  const nodes = useEditor((state) => (asked ? state.nodes : null));
  const rows =
    asked && records && nodes
      ? (asked.kind === 'wire' ? rerouteRows : connectRows)(records, nodes, asked.id)
      : [];
  const words = asked?.kind === 'wire' ? 'Lead this wire to' : 'Connect to';
  return (
    <Spotlight
      store={store}
      actions={rows.map((row) => ({
        id: `${row.port} ${row.target}`,
        label: row.label,
        leftSection: <IconArrowRight size={16} stroke={1.7} />,
        onClick: () => asked && choose(asked, row),
      }))}
      filter={(search, actions) => {
        const found = new Set(searchRows(rows, search).map((row) => `${row.port} ${row.target}`));
        return actions.filter((action) => 'id' in action && found.has(action.id ?? ''));
      }}
      limit={SHOWN}
      shortcut={null}
      scrollable
      maxHeight={360}
      nothingFound={rows.length === 0 ? 'There is nothing left to connect it to' : 'No such node'}
      onSpotlightClose={() => useAsked.setState({ asked: null })}
      searchProps={{
        leftSection: <IconArrowRight size={18} stroke={1.7} />,
        placeholder: words,
        'aria-label': words,
      }}
    />
  );
}

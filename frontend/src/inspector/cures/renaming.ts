import { notifications } from '@mantine/notifications';
import { api, messageOf } from '../../api/http/client.ts';
import type { Edit } from '../../api/types/types.ts';
import type { Records } from '../../graph/document/document.ts';
import { cured } from '../../graph/editing/cures.ts';
import { useEditor } from '../../store/editor.ts';
import { saveNow } from '../../store/saving.ts';

/** What follows from a rename, and who cannot follow by itself. */
export interface Renaming {
  edits: Edit[];
  stuck: { part: string; id: string; path: (string | number)[] }[];
  callers: { graph_id: string; graph: string; node: string }[];
  /** Whether history names it, so that it stays as it is. */
  kept: boolean;
}

export interface Rename {
  kind: 'node' | 'field' | 'input';
  from: string;
  to: string;
}

const names = (all: readonly string[]) => [...new Set(all)].slice(0, 6).join(', ');

/** Say what has to be changed by hand. */
function tell({ stuck, callers }: Renaming, { from }: Rename): void {
  const { records } = useEditor.getState();
  const here = stuck.map(({ part, id }) =>
    part === 'node' ? (records.nodes.get(id)?.label ?? id) : 'a condition on a wire',
  );
  const there = callers.map(({ node, graph }) => `${node} in ${graph}`);
  const lines = [
    here.length > 0 ? `Still says ${from}: ${names(here)}. Change it there.` : '',
    there.length > 0 ? `Other workflows name it too: ${names(there)}.` : '',
  ].filter(Boolean);
  if (lines.length > 0)
    notifications.show({ title: 'Look here too', message: lines.join(' '), color: 'orange' });
}

/**
 * Call something otherwise in texts, keys, tables and wires: one undo step. `own` changes what the server
 * leaves to the page (the id of a node). Where the server cannot be asked, nothing changes and that is said.
 */
export async function renameThroughout(
  rename: Rename,
  label: string,
  own: (records: Records) => Records = (records) => records,
): Promise<boolean> {
  try {
    await saveNow();
    const { graphId, gesture } = useEditor.getState();
    const found = await api.post<Renaming>(`graphs/${graphId}/draft/rename/`, rename);
    if (useEditor.getState().graphId !== graphId) return false;
    gesture(label, (records) => own(cured(records, { label, edits: found.edits })));
    tell(found, rename);
    return true;
  } catch (error) {
    notifications.show({ title: 'Not renamed', message: messageOf(error), color: 'red' });
    return false;
  }
}

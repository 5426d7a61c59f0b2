import type { Json } from '../../api/types/types.ts';
import { freeId } from '../../graph/document/document.ts';
import { DEFAULT_MODEL, withAgents } from '../../graph/editing/ownAgents.ts';
import { useEditor } from '../../store/editor.ts';

/** Make an agent of the workflow with the default model and hand on its id: one undo step. */
export function newAgent(choose: (id: Json) => void): void {
  const { commit, edit, records, reserved } = useEditor.getState();
  const agents = records.settings.agents ?? [];
  const taken = new Set([...reserved, ...records.nodes.keys(), ...agents.map(({ id }) => id)]);
  const id = freeId('agent', taken);
  commit('Edit');
  edit((now) => withAgents(now, [...agents, { id, model: DEFAULT_MODEL }]));
  choose(id);
  commit('New agent');
}

import { api, ApiError } from '../../api/http/client.ts';
import { freeId, type Records } from '../../graph/document/document.ts';
import { cured } from '../../graph/editing/cures.ts';
import { renameNode } from '../../graph/editing/operations.ts';
import { selectedIds, useEditor } from '../../store/editor.ts';
import { goesOnAs, sameNode } from '../../store/merging/identity.ts';
import { saveNow } from '../../store/saving.ts';
import type { Renaming } from './renaming.ts';

const LABEL = 'Rename';
const LONGEST = 40;
const slug = (title: string, taken: { has(id: string): boolean } = new Set()) =>
  freeId(title.toLowerCase().slice(0, LONGEST), taken);

/**
 * The id that a node gets with its new title; null where its id was chosen, stays the same, or others have
 * the draft open, who would find the node gone that they change.
 */
export function idFor(records: Records, id: string, before: string, title: string): string | null {
  const old = slug(before);
  if (useEditor.getState().company > 0) return null;
  const reads = id === old || (id.startsWith(`${old}_`) && /^\d+$/.test(id.slice(old.length + 1)));
  if (!reads || !/[A-Za-z]/.test(title) || before === title) return null;
  const agents = (records.settings.agents ?? []).map((agent) => agent.id);
  const others = [...records.nodes.keys(), ...agents].filter((other) => other !== id);
  const to = slug(title, new Set([...useEditor.getState().reserved, ...others]));
  return to === id ? null : to;
}

/** Let everything that names a node follow its title, as a part of the step that is open; false where it cannot. */
async function followed(id: string, to: string): Promise<boolean> {
  const typed = sameNode(id);
  try {
    await saveNow();
    // others made a node of this id at the same time: the one that was typed into has another now
    if (sameNode(id) !== typed) return false;
    const { graphId } = useEditor.getState();
    const asked = { kind: 'node', from: id, to, fresh: true };
    const found = await api.post<Renaming>(`graphs/${graphId}/draft/rename/`, asked);
    const now = useEditor.getState();
    const follows = !found.kept && found.stuck.length === 0 && sameNode(id) === typed;
    if (now.graphId !== graphId || !follows || now.records.nodes.has(to)) return false;
    const chosen = selectedIds();
    goesOnAs(id, to); // somebody may be typing into another of its fields
    now.edit((records) =>
      renameNode(cured(records, { label: LABEL, edits: found.edits }), id, to, now.types),
    );
    if (chosen.includes(id)) now.select(chosen.map((each) => (each === id ? to : each)));
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false; // it cannot follow: the title alone is new
    throw error;
  }
}

/** End the typing of a title: until the first run or publication the id follows it, in the same undo step. */
export async function retitle(id: string, before: string): Promise<void> {
  const { records, commit } = useEditor.getState();
  const to = idFor(records, id, before, records.nodes.get(id)?.label ?? '');
  if (to !== null) await followed(id, to);
  commit(LABEL);
}

import { create } from 'zustand';
import { selectedEdgeIds, selectedIds, useEditor } from './editor.ts';

interface Untouched {
  /** Nodes and wires that were made in this visit and have not been left yet: what they lack is no mistake so far. */
  ids: ReadonlySet<string>;
  /** Those whose form was not shown yet, as that of another came first: one cannot have left them. */
  unseen: ReadonlySet<string>;
}
export const useUntouched = create<Untouched>(() => ({ ids: new Set(), unseen: new Set() }));

/** A node or a wire was just made, and is selected. */
export const justMade = (id: string): void =>
  useUntouched.setState(({ ids }) => ({ ids: new Set([...ids, id]) }));

/** Another form is shown in place of that of a node that was just made. */
export const notSeenYet = (id: string): void =>
  useUntouched.setState(({ ids, unseen }) =>
    ids.has(id) ? { unseen: new Set([...unseen, id]) } : {},
  );

/** The draft is run or published: now everything counts. */
export const touchAll = (): void => {
  if (useUntouched.getState().ids.size > 0)
    useUntouched.setState({ ids: new Set(), unseen: new Set() });
};

// a node is left where the selection goes elsewhere, and where it is gone
useEditor.subscribe((state) => {
  const { ids, unseen } = useUntouched.getState();
  if (ids.size === 0) return;
  const { nodes, edges } = state.records;
  const here = new Set([...selectedIds(state), ...selectedEdgeIds(state)]);
  const waits = [...unseen].filter((id) => !here.has(id) && (nodes.has(id) || edges.has(id)));
  const left = [...ids].filter((id) => here.has(id) || waits.includes(id));
  if (left.length < ids.size || waits.length < unseen.size)
    useUntouched.setState({ ids: new Set(left), unseen: new Set(waits) });
});

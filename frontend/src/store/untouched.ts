import { create } from 'zustand';
import { selectedIds, useEditor } from './editor.ts';

/** Nodes that were made in this visit and have not been left yet: what they lack is no mistake so far. */
export const useUntouched = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

/** A node was just made, and is selected. */
export const justMade = (id: string): void =>
  useUntouched.setState(({ ids }) => ({ ids: new Set([...ids, id]) }));

/** The draft is run or published: now everything counts. */
export const touchAll = (): void => {
  if (useUntouched.getState().ids.size > 0) useUntouched.setState({ ids: new Set() });
};

// a node is left where the selection goes elsewhere, and where it is gone
useEditor.subscribe((state) => {
  const { ids } = useUntouched.getState();
  if (ids.size === 0) return;
  const here = new Set(selectedIds(state));
  const left = [...ids].filter((id) => here.has(id));
  if (left.length < ids.size) useUntouched.setState({ ids: new Set(left) });
});

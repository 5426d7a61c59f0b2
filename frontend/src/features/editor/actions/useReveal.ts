import { useReactFlow } from '@xyflow/react';
import { useCallback } from 'react';
import { useEditor } from '../../../store/editor.ts';

/** The room that panels take on the right of the canvas: one, or two beside each other. */
export const ONE_PANEL = '332px';
const TWO_PANELS = '684px';

/** Select nodes, and bring them (or what is `around` them) into the part of the canvas that no panel covers. */
export function useReveal({ narrow, listOpen }: { narrow: boolean; listOpen: boolean }) {
  const flow = useReactFlow();
  return useCallback(
    (ids: string[], around: string[] = ids) => {
      useEditor.getState().select(ids);
      const nodes = around
        .filter((id) => useEditor.getState().records.nodes.has(id))
        .map((id) => ({ id }));
      const right = listOpen ? TWO_PANELS : ONE_PANEL;
      if (nodes.length > 0)
        void flow.fitView({
          nodes,
          includeHiddenNodes: true,
          duration: 200,
          padding: { left: narrow ? '84px' : '284px', right, top: '60px', bottom: '112px' },
          maxZoom: 1,
        });
    },
    [flow, narrow, listOpen],
  );
}

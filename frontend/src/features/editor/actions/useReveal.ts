import { useReactFlow } from '@xyflow/react';
import { useCallback } from 'react';
import { useEditor } from '../../../store/editor.ts';
import { ABOVE_SHEET, freeRoom, INSPECTOR } from '../testrun/sight/fit.ts';

/** The room that panels take on the right of the canvas: one, or two beside each other. */
export const ONE_PANEL = '332px';
const TWO_PANELS = '684px';

const wider = (one: `${number}px`, other: `${number}px`) =>
  parseInt(one) > parseInt(other) ? one : other;

/** What is free of the canvas once the inspector is open: beside it, or on a phone above it. */
export function roomBeside(listOpen: boolean, stage: HTMLElement | null) {
  const { padding } = freeRoom(stage);
  const { clientWidth: width = Infinity, clientHeight: height = 0 } = stage ?? {};
  return width < 2 * INSPECTOR
    ? { ...padding, bottom: wider(padding.bottom, `${Math.round(height * (1 - ABOVE_SHEET))}px`) }
    : { ...padding, right: wider(padding.right, listOpen ? TWO_PANELS : ONE_PANEL) };
}

/** Select nodes, and bring them (or what is `around` them) into the part of the canvas that no panel covers. */
export function useReveal(listOpen: boolean) {
  const flow = useReactFlow();
  return useCallback(
    (ids: string[], around: string[] = ids) => {
      useEditor.getState().select(ids);
      const nodes = around
        .filter((id) => useEditor.getState().records.nodes.has(id))
        .map((id) => ({ id }));
      const stage = document.querySelector<HTMLElement>('[data-outline]');
      const padding = roomBeside(listOpen, stage);
      if (nodes.length > 0)
        void flow.fitView({ ...freeRoom(stage), nodes, duration: 200, padding });
    },
    [flow, listOpen],
  );
}

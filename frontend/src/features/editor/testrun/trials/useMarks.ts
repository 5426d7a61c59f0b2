import { useMemo } from 'react';
import type { TrialMarks } from '../../../../canvas/cards/context.ts';
import { useEditor } from '../../../../store/editor.ts';
import { useTrials } from './trials.ts';

/** What cards show of pins and breakpoints, by node. */
export function useMarks(): ReadonlyMap<string, TrialMarks> {
  const pins = useTrials((state) => state.pins);
  const breakpoints = useTrials((state) => state.breakpoints);
  return useMemo(() => {
    const nodes = new Set([...pins.keys(), ...breakpoints]);
    const marked = [...nodes].map((node): [string, TrialMarks] => [
      node,
      { pinned: pins.has(node), breakpoint: breakpoints.has(node) },
    ]);
    return new Map(marked);
  }, [pins, breakpoints]);
}

/** The names of the nodes of the draft that are pinned. */
export function usePinned(): string[] {
  const pins = useTrials((state) => state.pins);
  const nodes = useEditor((state) => state.records.nodes);
  return useMemo(
    () => [...pins.keys()].flatMap((id) => nodes.get(id)?.label || (nodes.has(id) ? id : [])),
    [pins, nodes],
  );
}

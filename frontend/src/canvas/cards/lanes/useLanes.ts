import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import type { Position } from '../../../api/types/types.ts';
import { type Lane, plainLane } from '../../../graph/layout/lanes/lane.ts';
import type { lanesIn } from './lanesIn.ts';
import type { FlowEdge, FlowNode } from '../../../store/flow.ts';

type Finder = typeof lanesIn;
type Lanes = ReadonlyMap<string, Lane>;

/** The lanes of the wires that would else run behind cards. */
export const LanesContext = createContext<Lanes>(new Map());

/** How a wire runs between two points: in its lane, unless its ends were moved past that. */
export function useLane(id: string, from: Position, to: Position): Lane {
  const lane = useContext(LanesContext).get(id);
  return lane && lane.out > from.x && lane.into < to.x ? lane : plainLane(from, to);
}

/** The lanes of a drawn graph; the same object again while they are the same, and while a card is dragged. */
export function useLanes(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): Lanes {
  const [finder, load] = useState<Finder | null>(null);
  useEffect(() => void import('./lanesIn.ts').then((module) => load(() => module.lanesIn)), []);
  const [kept, keep] = useState('[]');
  const found = useMemo(
    () =>
      !finder || nodes.some((node) => node.dragging) ? null : JSON.stringify(finder(nodes, edges)),
    [finder, nodes, edges],
  );
  if (found !== null && found !== kept) keep(found);
  return useMemo(() => new Map(JSON.parse(kept) as [string, Lane][]), [kept]);
}

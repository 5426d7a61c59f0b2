import { useMemo } from 'react';
import type { NodeTypeInfo } from '../../api/types/types.ts';
import { fitting, type Gap } from '../../graph/wiring/fitting.ts';
import { portOf } from '../../graph/schema/ports.ts';
import { useEditor } from '../../store/editor.ts';
import type { QuickState } from '../useCanvasGestures.ts';

/** Where the node will stand that is picked; null where no wire says it. */
export function gapOf({ wire, edge }: Pick<QuickState, 'wire' | 'edge'>): Gap | null {
  const cut = edge ? useEditor.getState().records.edges.get(edge) : undefined;
  if (cut) return { from: { node: cut.source, port: portOf(cut) }, to: cut.target };
  if (!wire) return null;
  const { node, port } = wire;
  return wire.direction === 'from' ? { from: { node, port }, to: null } : { from: null, to: node };
}

/** Puts types into the order in which they fit the wire in hand, without those that do not; without a wire it changes nothing. */
export function useFitting(
  types: readonly NodeTypeInfo[],
  quick: QuickState,
): (some: NodeTypeInfo[]) => NodeTypeInfo[] {
  const records = useEditor((state) => state.records);
  const dangers = useEditor((state) => state.dangers);
  return useMemo(() => {
    const gap = gapOf(quick);
    const around = {
      records,
      types: new Map(types.map((type) => [type.type, type])),
      unguarded: new Set(dangers.filter(({ way }) => way).map(({ node }) => node)),
    };
    return (some) => (gap ? fitting(some, gap, around) : some);
  }, [types, quick, records, dangers]);
}

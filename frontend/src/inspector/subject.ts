import { useMemo } from 'react';
import { selectedEdgeIds, selectedIds, useEditor } from '../store/editor.ts';

/** What the inspector shows now: one node, one edge, several things, or the graph. */
export type Subject =
  | { kind: 'node' | 'edge'; id: string }
  | { kind: 'many'; count: number }
  | { kind: 'graph' }
  | null;

/** The subject of the current selection; null when nothing is selected. */
export function useSubject(): Subject {
  const nodes = useEditor((state) => selectedIds(state).join('\n'));
  const edges = useEditor((state) => selectedEdgeIds(state).join('\n'));
  return useMemo(
    () => subjectOf(nodes ? nodes.split('\n') : [], edges ? edges.split('\n') : []),
    [nodes, edges],
  );
}

function subjectOf(nodeIds: string[], edgeIds: string[]): Subject {
  const card = nodeIds.find((id) => useEditor.getState().records.nodes.has(id));
  if (nodeIds.length === 1) return card ? { kind: 'node', id: card } : null;
  if (nodeIds.length > 1) return { kind: 'many', count: nodeIds.length };
  return edgeIds.length === 1 && edgeIds[0] ? { kind: 'edge', id: edgeIds[0] } : null;
}

import { useMemo } from 'react';
import { START } from '../graph/document/document.ts';
import { selectedEdgeIds, selectedIds, useEditor } from '../store/editor.ts';

/** What the inspector shows now: one node, one edge, the start, several things, or the graph. */
export type Subject =
  | { kind: 'node' | 'edge'; id: string }
  | { kind: 'many'; count: number }
  | { kind: 'graph' }
  | { kind: 'start' }
  | null;

/** The subject of the current selection; null when nothing is selected. */
export function useSubject(): Subject {
  const nodes = useEditor((state) => selectedIds(state).join('\n'));
  const edges = useEditor((state) => selectedEdgeIds(state).join('\n'));
  const start = useEditor((state) =>
    state.nodes.some((node) => node.id === START && node.selected === true),
  );
  return useMemo(() => {
    const chosen = subjectOf(nodes ? nodes.split('\n') : [], edges ? edges.split('\n') : []);
    return start && chosen === null ? { kind: 'start' } : chosen;
  }, [nodes, edges, start]);
}

function subjectOf(nodeIds: string[], edgeIds: string[]): Subject {
  const card = nodeIds.find((id) => useEditor.getState().records.nodes.has(id));
  if (nodeIds.length === 1) return card ? { kind: 'node', id: card } : null;
  if (nodeIds.length > 1) return { kind: 'many', count: nodeIds.length };
  return edgeIds.length === 1 && edgeIds[0] ? { kind: 'edge', id: edgeIds[0] } : null;
}

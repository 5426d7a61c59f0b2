import { useStore, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useCallback, useMemo, useState } from 'react';
import { LARGE } from '../../graph/layout/geometry.ts';
import type { FlowEdge, FlowNode } from '../../store/flow.ts';
import { boxOf } from './box.ts';

/** Below this zoom a large graph is one picture; only what is under the pointer or moved is an element of its own. */
const FAR = 0.5;

const asHidden = new WeakMap<FlowNode, FlowNode>();

function hiddenOf(node: FlowNode): FlowNode {
  const known = asHidden.get(node);
  if (known) return known;
  const made = { ...node, hidden: true } as FlowNode;
  asHidden.set(node, made);
  return made;
}

const noEdges: FlowEdge[] = [];

/** What React Flow gets to draw of a graph, and whether the rest is drawn as a picture. */
export function useLowDetail(nodes: readonly FlowNode[], edges: readonly FlowEdge[]) {
  const store = useStoreApi();
  const far = useStore((state) => state.transform[2] < FAR) && nodes.length > LARGE;
  const [hot, setHot] = useState<string | null>(null);
  const shown = useMemo(
    () => (far ? nodes.map((node) => (node.id === hot ? node : hiddenOf(node))) : [...nodes]),
    [nodes, far, hot],
  );
  const onPointerMove = useCallback(
    (event: PointerEvent) => {
      if (event.buttons !== 0) return;
      const {
        transform: [x, y, zoom],
        domNode,
      } = store.getState();
      const frame = domNode?.getBoundingClientRect();
      if (!frame) return;
      const at = {
        x: (event.clientX - frame.x - x) / zoom,
        y: (event.clientY - frame.y - y) / zoom,
      };
      const under = nodes.findLast((node) => {
        const box = boxOf(node);
        return (
          at.x >= box.x && at.y >= box.y && at.x <= box.x + box.width && at.y <= box.y + box.height
        );
      });
      setHot(under?.id ?? null);
    },
    [nodes, store],
  );
  return {
    far,
    nodes: shown,
    edges: far ? noEdges : [...edges],
    onPointerMove: far ? onPointerMove : undefined,
  };
}

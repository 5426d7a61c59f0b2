import { type NodeChange, useStoreApi } from '@xyflow/react';
import { useCallback, useRef, useState } from 'react';
import { type Box, LARGE } from '../graph/layout/geometry.ts';
import { align, type Guide, isInside } from '../graph/layout/guides.ts';
import { useEditor } from '../store/editor.ts';
import type { FlowNode } from '../store/flow.ts';
import { boxOf } from './overview/box.ts';

const REACH = 6;
const none: Guide[] = [];

interface Cargo {
  frame: string;
  ids: ReadonlySet<string>;
}

function cargoOf(frame: FlowNode, nodes: readonly FlowNode[]): Cargo {
  const around = boxOf(frame);
  return {
    frame: frame.id,
    ids: new Set(
      nodes
        .filter(
          (node) =>
            node.id !== frame.id &&
            node.type !== 'pill' &&
            !node.selected &&
            isInside(boxOf(node), around),
        )
        .map((node) => node.id),
    ),
  };
}

/** What helps while a node is dragged: it catches on the sides and middles of others, and a frame takes along what lies in it. */
export function useDragHelp() {
  const store = useStoreApi();
  const [guides, setGuides] = useState<Guide[]>(none);
  const cargo = useRef<Cargo | null>(null);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const { nodes, onNodesChange: apply } = useEditor.getState();
      const moves = changes.filter((change) => change.type === 'position');
      const [move] = moves;
      const moved =
        moves.length === 1 && move ? nodes.find((node) => node.id === move.id) : undefined;
      if (!moved || !move?.position) {
        setGuides(none);
        return apply(changes);
      }
      if (moved.type === 'note' && moved.data.note.kind === 'frame') {
        if (cargo.current?.frame !== moved.id) cargo.current = cargoOf(moved, nodes);
        const by = { x: move.position.x - moved.position.x, y: move.position.y - moved.position.y };
        const { ids } = cargo.current;
        const along = nodes
          .filter((node) => ids.has(node.id))
          .map((node): NodeChange<FlowNode> => ({
            id: node.id,
            type: 'position',
            position: { x: node.position.x + by.x, y: node.position.y + by.y },
          }));
        if (!move.dragging) cargo.current = null;
        return apply([...changes, ...along]);
      }
      if (nodes.length > LARGE) return apply(changes);
      const { position, guides: lines } = align(
        { ...boxOf(moved), ...move.position } satisfies Box,
        nodes.filter((node) => node.id !== moved.id && node.type === 'card').map(boxOf),
        REACH / store.getState().transform[2],
      );
      setGuides(move.dragging ? lines : none);
      apply(changes.map((change) => (change === move ? { ...move, position } : change)));
    },
    [store],
  );

  return { guides, onNodesChange };
}

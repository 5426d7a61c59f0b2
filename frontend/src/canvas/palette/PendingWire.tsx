import { getBezierPath, Position, useInternalNode, ViewportPortal } from '@xyflow/react';
import type { WireEnd } from '../placing.ts';

const style = {
  position: 'absolute',
  zIndex: 3,
  width: 1,
  height: 1,
  overflow: 'visible',
  pointerEvents: 'none',
  color: 'var(--gw-accent)',
} as const;

interface PendingWireProps {
  /** The end that it hangs on. */
  wire: WireEnd;
  /** Where it was let go, in the coordinates of the graph. */
  place: { x: number; y: number };
}

/** The wire that was drawn into the open: it stays while the palette asks what is to stand at its end. */
export function PendingWire({ wire, place }: PendingWireProps) {
  const node = useInternalNode(wire.node);
  const out = wire.direction === 'from';
  const ends = node?.internals.handleBounds?.[out ? 'source' : 'target'] ?? [];
  const end = ends.find(({ id }) => id === wire.port) ?? ends[0];
  if (!node || !end) return null;
  const { x, y } = node.internals.positionAbsolute;
  const [path] = getBezierPath({
    sourceX: x + end.x + end.width / 2,
    sourceY: y + end.y + end.height / 2,
    sourcePosition: out ? Position.Right : Position.Left,
    targetX: place.x,
    targetY: place.y,
    targetPosition: out ? Position.Left : Position.Right,
  });
  return (
    <ViewportPortal>
      <svg aria-hidden style={style}>
        <path d={path} fill="none" stroke="currentColor" strokeWidth={2} />
        <circle cx={place.x} cy={place.y} r={3} fill="currentColor" />
      </svg>
    </ViewportPortal>
  );
}

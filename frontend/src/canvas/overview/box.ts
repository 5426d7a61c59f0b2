import { NODE_HEIGHT, NODE_WIDTH } from '../../graph/layout/layout.ts';
import type { FlowNode } from '../../store/flow.ts';

/** Where something stands, and how large it is, in the coordinates of the graph. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The box of a node in the coordinates of the graph. */
export const boxOf = (node: FlowNode): Place => ({
  ...node.position,
  width: node.measured?.width ?? node.width ?? node.initialWidth ?? NODE_WIDTH,
  height: node.measured?.height ?? node.height ?? node.initialHeight ?? NODE_HEIGHT,
});

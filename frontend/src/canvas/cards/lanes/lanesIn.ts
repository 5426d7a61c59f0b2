import { LARGE } from '../../../graph/layout/geometry.ts';
import type { Lane } from '../../../graph/layout/lanes/lane.ts';
import { type Ends, lanesOf } from '../../../graph/layout/lanes/lanes.ts';
import type { FlowEdge, FlowNode } from '../../../store/flow.ts';
import { boxOf } from '../../overview/box.ts';
import { wireEnds } from '../../overview/lowDetailPicture.ts';

/** A wire between two nodes as it is drawn; none where an end is missing, or for a mere reference. */
export function endsOf(edge: FlowEdge, places: ReadonlyMap<string, FlowNode>): Ends[] {
  const [from, to] = [places.get(edge.source), places.get(edge.target)];
  if (edge.type !== 'wire' || !from || !to) return [];
  const [start, end] = wireEnds(from, to, edge.sourceHandle);
  return [{ id: edge.id, source: edge.source, target: edge.target, from: start, to: end }];
}

/** The lanes of the wires that would else run behind cards. A large graph has none: moving one card there would move wires all over it. */
export function lanesIn(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): [string, Lane][] {
  if (nodes.length > LARGE) return [];
  const isSolid = (node: FlowNode) =>
    node.type === 'card' || (node.type === 'pill' && !node.data.idle);
  const places = new Map(nodes.map((node) => [node.id, node]));
  const boxes = nodes.filter(isSolid).map((node) => ({ id: node.id, ...boxOf(node) }));
  const wires = edges.flatMap((edge) => endsOf(edge, places));
  return [...lanesOf(boxes, wires)];
}

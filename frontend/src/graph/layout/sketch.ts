import type { GraphDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { END, START, toRecords } from '../document/document.ts';
import { NODE_HEIGHT, NODE_WIDTH } from './layout.ts';
import { nodeReferences } from '../schema/schema.ts';

export interface SketchBox {
  id: string;
  x: number;
  y: number;
  type: string;
}
export interface SketchWire {
  id: string;
  path: string;
  dashed: boolean;
}

/** A graph drawn small: boxes of one size, wires between them, and the view that holds it all. */
export interface Sketch {
  boxes: SketchBox[];
  wires: SketchWire[];
  view: { x: number; y: number; width: number; height: number };
}

export const SKETCH_BOX = { width: NODE_WIDTH, height: NODE_HEIGHT };
const MARGIN = 40;
const STUB = 70;

interface Point {
  x: number;
  y: number;
}

const entry = (box: SketchBox): Point => ({ x: box.x, y: box.y + SKETCH_BOX.height / 2 });
const exit = (box: SketchBox): Point => ({
  x: box.x + SKETCH_BOX.width,
  y: box.y + SKETCH_BOX.height / 2,
});
const foot = (box: SketchBox): Point => ({
  x: box.x + SKETCH_BOX.width / 2,
  y: box.y + SKETCH_BOX.height,
});

/** A curve between two points: level at both ends; one that leads back swings around. */
function curve(from: Point, to: Point): string {
  const reach = to.x > from.x ? Math.max((to.x - from.x) / 2, 40) : 160;
  return `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${to.x - reach} ${to.y} ${to.x} ${to.y}`;
}

/** The sketch of a document by the positions of its nodes; sticky notes are left out. */
export function sketchOf(document: GraphDoc, types: ReadonlyMap<string, NodeTypeInfo>): Sketch {
  const boxes = document.nodes.map((node): SketchBox => ({
    id: node.id,
    type: node.type,
    x: node.position?.x ?? 0,
    y: node.position?.y ?? 0,
  }));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const wires: SketchWire[] = [];
  for (const edge of toRecords(document).edges.values()) {
    const target = byId.get(edge.target);
    const source = byId.get(edge.source);
    if (edge.source === START && target)
      wires.push({
        id: edge.id,
        dashed: false,
        path: curve({ x: target.x - STUB, y: entry(target).y }, entry(target)),
      });
    else if (source && edge.target === END)
      wires.push({
        id: edge.id,
        dashed: false,
        path: curve(exit(source), { x: exit(source).x + STUB, y: exit(source).y }),
      });
    else if (source && target)
      wires.push({ id: edge.id, dashed: false, path: curve(exit(source), entry(target)) });
  }
  for (const node of document.nodes) {
    const from = byId.get(node.id);
    for (const name of new Set(nodeReferences(types.get(node.type), node))) {
      const to = byId.get(name);
      if (from && to)
        wires.push({
          id: `${node.id}:${name}`,
          dashed: true,
          path: `M${foot(from).x} ${foot(from).y}L${to.x + SKETCH_BOX.width / 2} ${to.y}`,
        });
    }
  }
  return { boxes, wires, view: viewOf(boxes) };
}

function viewOf(boxes: readonly SketchBox[]): Sketch['view'] {
  if (boxes.length === 0) return { x: 0, y: 0, width: SKETCH_BOX.width, height: SKETCH_BOX.height };
  const left = Math.min(...boxes.map((box) => box.x)) - STUB - MARGIN;
  const top = Math.min(...boxes.map((box) => box.y)) - MARGIN;
  const right = Math.max(...boxes.map((box) => box.x + SKETCH_BOX.width)) + MARGIN;
  const bottom = Math.max(...boxes.map((box) => box.y + SKETCH_BOX.height)) + MARGIN;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

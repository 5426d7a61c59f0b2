import type { Position } from '../../api/types/types.ts';
import { type Lane, plainLane, pointsOf } from '../../graph/layout/lanes/lane.ts';
import { facing, portY } from '../../graph/layout/geometry.ts';
import { worstOf } from '../../graph/schema/severity.ts';
import { HANDLE_Y, NODE_WIDTH } from '../../graph/layout/layout.ts';
import type { FlowEdge, FlowNode } from '../../store/flow.ts';
import { statusLook } from '../../ui/status.ts';
import { type CanvasScene, tintName } from '../cards/context.ts';
import { boxOf, type Place } from './box.ts';

/** Colours of the theme by the names of their variables, read once for each picture. */
function palette(element: Element): (name: string) => string {
  const style = getComputedStyle(element);
  const known = new Map<string, string>();
  return (name) => {
    const color = known.get(name) ?? style.getPropertyValue(`--gw-${name}`);
    known.set(name, color);
    return color;
  };
}

const wireColors = { failed: 'red', rejected: 'amber', timed_out: 'amber' } as const;

/** The colour of a wire, and whether it is drawn stronger. */
function wireLook(edge: FlowEdge, scene: CanvasScene): { color: string; strong: boolean } {
  if (edge.type === 'reference') return { color: 'reference', strong: false };
  const doc = edge.data?.doc;
  if (scene.openWays.edges.has(edge.id)) return { color: 'red', strong: true };
  if (edge.selected) return { color: 'accent', strong: true };
  const view = scene.edgeView({
    id: edge.id,
    index: edge.data?.index ?? -1,
    source: edge.source,
    target: edge.target,
  });
  if (view?.taken) return { color: 'accent', strong: true };
  return {
    color: (doc?.on && doc.on !== 'completed' && wireColors[doc.on]) || 'wire',
    strong: false,
  };
}

function outY(node: FlowNode, handle: string | null | undefined, box: Place): number {
  if (node.type !== 'card') return box.height / 2;
  return portY(node.data.ports, handle);
}

/** Where a wire leaves a node by a handle, and where it arrives at another. */
export function wireEnds(
  source: FlowNode,
  target: FlowNode,
  handle: string | null | undefined,
): [Position, Position] {
  const [from, to] = [boxOf(source), boxOf(target)];
  const down = target.type === 'card' ? HANDLE_Y : to.height / 2;
  return [
    { x: from.x + from.width, y: from.y + outY(source, handle, from) },
    { x: to.x, y: to.y + down },
  ];
}

/** One path for all wires of a look. */
function wirePaths(
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
  scene: CanvasScene,
  lanes: ReadonlyMap<string, Lane>,
): Map<string, { color: string; strong: boolean; path: Path2D }> {
  const places = new Map(nodes.map((node) => [node.id, node]));
  const paths = new Map<string, { color: string; strong: boolean; path: Path2D }>();
  for (const edge of edges) {
    const source = places.get(edge.source);
    const target = places.get(edge.target);
    if (!source || !target) continue;
    const look = wireLook(edge, scene);
    const key = `${look.strong ? 1 : 0}${look.color}`;
    const entry = paths.get(key) ?? { ...look, path: new Path2D() };
    paths.set(key, entry);
    const [from, to] = [boxOf(source), boxOf(target)];
    if (edge.type === 'reference') {
      const [a, b] = facing(from, to);
      entry.path.moveTo(a.x, a.y);
      entry.path.lineTo(b.x, b.y);
    } else {
      const ends = wireEnds(source, target, edge.sourceHandle);
      const lane = lanes.get(edge.id) ?? plainLane(...ends);
      const [first, ...rest] = pointsOf(...ends, lane);
      if (first) entry.path.moveTo(first.x, first.y);
      for (const point of rest) entry.path.lineTo(point.x, point.y);
    }
  }
  return paths;
}

const FONT = 22;
const widths = new Map<string, string>();

/** A label cut to the width of a card. */
function cut(context: CanvasRenderingContext2D, label: string): string {
  const known = widths.get(label);
  if (known !== undefined) return known;
  let text = label;
  while (
    text.length > 1 &&
    context.measureText(text === label ? text : `${text}…`).width > NODE_WIDTH - 32
  )
    text = text.slice(0, -1);
  const fitting = text === label ? label : `${text}…`;
  widths.set(label, fitting);
  return fitting;
}

export interface Picture {
  draw: (
    canvas: HTMLCanvasElement,
    transform: readonly [number, number, number],
    size: { width: number; height: number },
  ) => void;
}

/** The graph from afar, ready to be drawn at any place and zoom: coloured cards with names, and wires. */
export function pictureOf(
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
  { scene, lanes }: { scene: CanvasScene; lanes: ReadonlyMap<string, Lane> },
  theme: Element,
): Picture {
  const color = palette(theme);
  const font = `600 ${FONT}px ${getComputedStyle(theme).fontFamily}`;
  const wires = [...wirePaths(nodes, edges, scene, lanes).values()].toSorted(
    (a, b) => Number(a.strong) - Number(b.strong),
  );
  return {
    draw(canvas, [x, y, zoom], { width, height }) {
      const context = canvas.getContext('2d');
      if (!context) return;
      const ratio = window.devicePixelRatio;
      if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
        canvas.width = width * ratio;
        canvas.height = height * ratio;
      }
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.setTransform(zoom * ratio, 0, 0, zoom * ratio, x * ratio, y * ratio);
      for (const wire of wires) {
        context.strokeStyle = color(wire.color === 'reference' ? 'wire' : wire.color);
        context.lineWidth = (wire.strong ? 2.25 : 1) / Math.max(zoom, 0.25);
        context.setLineDash(wire.color === 'reference' ? [4, 8] : []);
        context.stroke(wire.path);
      }
      context.setLineDash([]);
      context.font = font;
      context.textBaseline = 'middle';
      const seen = {
        left: -x / zoom,
        top: -y / zoom,
        right: (width - x) / zoom,
        bottom: (height - y) / zoom,
      };
      for (const node of nodes) {
        const box = boxOf(node);
        if (
          box.x < seen.right &&
          box.y < seen.bottom &&
          box.x + box.width > seen.left &&
          box.y + box.height > seen.top
        )
          drawNode(context, node, box, { scene, color, zoom });
      }
    },
  };
}

interface Look {
  scene: CanvasScene;
  color: (name: string) => string;
  zoom: number;
}

function drawNode(context: CanvasRenderingContext2D, node: FlowNode, box: Place, look: Look): void {
  if (node.type === 'pill' && node.data.idle) return;
  const { color, zoom } = look;
  if (node.type === 'card') drawCard(context, node, box, look);
  else {
    context.fillStyle =
      node.type === 'note'
        ? color(node.data.note.kind === 'frame' ? 'surface-3' : 'amber-soft')
        : color('text-faint');
    context.globalAlpha = node.type === 'note' && node.data.note.kind === 'frame' ? 0.5 : 1;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
  }
  if (!node.selected) return;
  context.strokeStyle = color('accent');
  context.lineWidth = 2 / zoom;
  context.strokeRect(box.x, box.y, box.width, box.height);
}

function drawCard(
  context: CanvasRenderingContext2D,
  node: Extract<FlowNode, { type: 'card' }>,
  box: Place,
  { scene, color, zoom }: Look,
): void {
  const { doc, type } = node.data;
  const view = scene.nodeView(node.id);
  const tint = color(tintName(type ? scene.tints.get(type.category) : undefined));
  const status = scene.openWays.nodes.has(node.id)
    ? 'red'
    : view
      ? statusLook(view.status).color
      : null;
  context.fillStyle = color('surface');
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = doc.disabled ? 0.07 : 0.16;
  context.fillStyle = tint;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = status ? 1 : 0.55;
  context.strokeStyle = status ? color(status === 'grey' ? 'border-strong' : status) : tint;
  context.lineWidth = (status ? 2 : 1) / Math.max(zoom, 0.2);
  context.strokeRect(box.x, box.y, box.width, box.height);
  const worst = worstOf(scene.problems.get(node.id));
  const [hand] = scene.onlookers.get(node.id) ?? [];
  if (hand) {
    context.globalAlpha = 1;
    context.strokeStyle = hand.color;
    context.lineWidth = 3 / zoom;
    context.strokeRect(
      box.x - 3 / zoom,
      box.y - 3 / zoom,
      box.width + 6 / zoom,
      box.height + 6 / zoom,
    );
  }
  if (worst) {
    context.globalAlpha = 1;
    context.fillStyle = color(worst === 'error' ? 'red' : 'amber');
    context.beginPath();
    context.arc(box.x + box.width, box.y, Math.max(12, 4 / zoom), 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = doc.disabled ? 0.5 : 1;
  if (zoom * FONT > 6) {
    context.fillStyle = color('text');
    context.fillText(cut(context, doc.label || doc.id), box.x + 16, box.y + box.height / 2);
  }
  context.globalAlpha = 1;
}

import { Panel, useReactFlow, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { NODE_HEIGHT, NODE_WIDTH } from '../../graph/layout/layout.ts';
import type { FlowNode } from '../../store/flow.ts';
import classes from '../canvas.module.css';

const WIDTH = 148;
const HEIGHT = 96;
const MARGIN = 0.06;

interface Scale {
  x: number;
  y: number;
  by: number;
}

const sizeOf = (node: FlowNode) => ({
  width: node.measured?.width ?? node.width ?? node.initialWidth ?? NODE_WIDTH,
  height: node.measured?.height ?? node.height ?? node.initialHeight ?? NODE_HEIGHT,
});

/** How the whole graph fits into the overview. */
function scaleOf(nodes: readonly FlowNode[]): Scale {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const node of nodes) {
    const { width, height } = sizeOf(node);
    left = Math.min(left, node.position.x);
    top = Math.min(top, node.position.y);
    right = Math.max(right, node.position.x + width);
    bottom = Math.max(bottom, node.position.y + height);
  }
  if (nodes.length === 0) return { x: 0, y: 0, by: 0.1 };
  const by = Math.min(WIDTH / (right - left), HEIGHT / (bottom - top), 0.12) * (1 - 2 * MARGIN);
  return { x: (left + right) / 2 - WIDTH / 2 / by, y: (top + bottom) / 2 - HEIGHT / 2 / by, by };
}

function draw(canvas: HTMLCanvasElement, nodes: readonly FlowNode[], { x, y, by }: Scale): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const colors = {
    card: style.getPropertyValue('--gw-wire'),
    pill: style.getPropertyValue('--gw-accent'),
    note: style.getPropertyValue('--gw-amber-soft'),
  };
  const ratio = window.devicePixelRatio;
  canvas.width = WIDTH * ratio;
  canvas.height = HEIGHT * ratio;
  context.scale(ratio, ratio);
  for (const node of nodes) {
    if (node.type === 'pill' && node.data.idle) continue;
    const { width, height } = sizeOf(node);
    context.fillStyle = colors[node.type];
    context.fillRect(
      (node.position.x - x) * by,
      (node.position.y - y) * by,
      Math.max(1.5, width * by),
      Math.max(1.5, height * by),
    );
  }
}

/** The whole graph small, and the part that is on screen: press or drag to go there, turn the wheel to zoom. */
export function Overview({ nodes, scheme }: { nodes: readonly FlowNode[]; scheme: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const lens = useRef<HTMLDivElement>(null);
  const store = useStoreApi();
  const flow = useReactFlow();
  const scale = useMemo(() => scaleOf(nodes), [nodes]);
  useEffect(() => {
    if (canvas.current) draw(canvas.current, nodes, scale);
  }, [nodes, scale, scheme]);
  useEffect(() => {
    const place = () => {
      const {
        transform: [x, y, zoom],
        width,
        height,
      } = store.getState();
      if (!lens.current) return;
      lens.current.style.transform = `translate(${(-x / zoom - scale.x) * scale.by}px, ${(-y / zoom - scale.y) * scale.by}px)`;
      lens.current.style.width = `${(width / zoom) * scale.by}px`;
      lens.current.style.height = `${(height / zoom) * scale.by}px`;
    };
    place();
    return store.subscribe(place);
  }, [store, scale]);
  const go = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    if (box)
      void flow.setCenter(
        (event.clientX - box.x) / scale.by + scale.x,
        (event.clientY - box.y) / scale.by + scale.y,
        { zoom: flow.getZoom() },
      );
  };
  return (
    <Panel
      position="bottom-right"
      className={classes.miniMap}
      role="img"
      aria-label="Overview of the workflow"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
      onWheel={(event) => void (event.deltaY < 0 ? flow.zoomIn() : flow.zoomOut())}
    >
      <canvas ref={canvas} className={classes.miniCanvas} />
      <div ref={lens} className={classes.lens} />
    </Panel>
  );
}

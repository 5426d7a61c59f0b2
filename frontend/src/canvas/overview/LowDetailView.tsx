import { useStore, useStoreApi } from '@xyflow/react';
import {
  type PointerEvent,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { LARGE } from '../../graph/layout/geometry.ts';
import type { FlowEdge, FlowNode } from '../../store/flow.ts';
import classes from '../canvas.module.css';
import { useScene } from '../cards/context.ts';
import { LanesContext } from '../cards/lanes/useLanes.ts';
import { boxOf, pictureOf } from './lowDetailPicture.ts';

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

interface LowDetailViewProps {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  scheme: string;
  onMarquee: ((ids: string[]) => void) | undefined;
}

/** The picture of a large graph from afar. It follows pan and zoom without React, frame by frame. */
export function LowDetailView({ nodes, edges, scheme, onMarquee }: LowDetailViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi();
  const scene = useScene();
  const lanes = useContext(LanesContext);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const picture = pictureOf(nodes, edges, { scene, lanes }, element);
    let frame = 0;
    let last: unknown = null;
    const draw = () => {
      frame = 0;
      const { transform, width, height } = store.getState();
      picture.draw(element, transform, { width, height });
    };
    const changed = () => {
      const { transform, width } = store.getState();
      const now = `${transform.join()},${width}`;
      if (now === last) return;
      last = now;
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    draw();
    const stop = store.subscribe(changed);
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [nodes, edges, scene, lanes, scheme, store]);
  useEffect(() => {
    if (!onMarquee) return;
    let rect = store.getState().userSelectionRect;
    return store.subscribe((state) => {
      if (state.userSelectionRect === rect) return;
      rect = state.userSelectionRect;
      if (!rect || !state.userSelectionActive) return;
      const [x, y, zoom] = state.transform;
      const frame = {
        left: (rect.x - x) / zoom,
        top: (rect.y - y) / zoom,
        right: (rect.x + rect.width - x) / zoom,
        bottom: (rect.y + rect.height - y) / zoom,
      };
      onMarquee(
        nodes
          .filter((node) => {
            const box = boxOf(node);
            return (
              node.type !== 'pill' &&
              box.x < frame.right &&
              box.y < frame.bottom &&
              box.x + box.width > frame.left &&
              box.y + box.height > frame.top
            );
          })
          .map((node) => node.id),
      );
    });
  }, [nodes, onMarquee, store]);
  return (
    <canvas
      ref={canvas}
      className={classes.farView}
      role="img"
      aria-label={`The graph from afar, ${nodes.filter((node) => node.type === 'card').length} nodes`}
    />
  );
}

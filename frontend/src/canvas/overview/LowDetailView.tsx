import { useStoreApi } from '@xyflow/react';
import { useContext, useEffect, useRef } from 'react';
import type { FlowEdge, FlowNode } from '../../store/flow.ts';
import classes from '../canvas.module.css';
import { useScene } from '../cards/context.ts';
import { LanesContext } from '../cards/lanes/useLanes.ts';
import { boxOf } from './box.ts';
import { pictureOf } from './lowDetailPicture.ts';

interface LowDetailViewProps {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  scheme: string;
  onMarquee: ((ids: string[]) => void) | undefined;
}

/** The picture of a large graph from afar. It follows pan and zoom without React, frame by frame. */
export default function LowDetailView({ nodes, edges, scheme, onMarquee }: LowDetailViewProps) {
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

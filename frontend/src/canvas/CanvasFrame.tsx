import '@xyflow/react/dist/base.css';
import {
  type FitViewOptions,
  Panel,
  ReactFlow,
  type ReactFlowProps,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { ActionIcon, Tooltip, useComputedColorScheme } from '@mantine/core';
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import type { FlowEdge, FlowNode } from '../store/flow.ts';
import classes from './canvas.module.css';
import { DotGrid } from './DotGrid.tsx';
import { useLowDetail } from './overview/useLowDetail.ts';
import { GraphNode } from './cards/GraphNode.tsx';
import { Overview } from './overview/Overview.tsx';
import { LanesContext, useLanes } from './cards/lanes/useLanes.ts';
import { Pill } from './cards/Pill.tsx';
import { StickyNote } from './cards/StickyNote.tsx';
import { ArrowHeads, Reference, Wire } from './cards/Wire.tsx';
import { lazyInBackground } from '../ui/page/lazy/lazy.ts';

/** Only large graphs are ever so far away. */
const LowDetailView = lazyInBackground(() => import('./overview/LowDetailView.tsx'));

/** From farther away nothing is told apart. */
export const FARTHEST = 0.08;

const nodeTypes = { card: GraphNode, note: StickyNote, pill: Pill };
const edgeTypes = { wire: Wire, reference: Reference };
const fit = {
  padding: { left: '40px', right: '40px', top: '32px', bottom: '100px' },
  maxZoom: 1,
  includeHiddenNodes: true,
} as const;

/** Zoom out, the zoom itself (100 % on click), zoom in, fit. */
export function ZoomControls({ options = () => fit }: { options?: () => FitViewOptions }) {
  const flow = useReactFlow();
  const zoom = useStore((state) => Math.round(state.transform[2] * 100));
  const duration = 150;
  return (
    <>
      <Tooltip label="Zoom out">
        <ActionIcon
          className={classes.zoomStep}
          aria-label="Zoom out"
          onClick={() => void flow.zoomOut({ duration })}
        >
          <IconMinus size={16} />
        </ActionIcon>
      </Tooltip>
      <button
        type="button"
        className={`${classes.zoom} ${classes.zoomStep} gw-num`}
        title="Zoom to 100 %"
        onClick={() => void flow.zoomTo(1, { duration })}
      >
        {zoom} %
      </button>
      <Tooltip label="Zoom in">
        <ActionIcon
          className={classes.zoomStep}
          aria-label="Zoom in"
          onClick={() => void flow.zoomIn({ duration })}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Fit everything">
        <ActionIcon
          aria-label="Fit everything"
          onClick={() => void flow.fitView({ ...options(), duration })}
        >
          <IconMaximize size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

interface FrameProps extends Omit<ReactFlowProps<FlowNode, FlowEdge>, 'nodes' | 'edges'> {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  children?: ReactNode;
  miniMap?: boolean;
  /** A frame was drawn around these nodes while they are too far away to be elements of their own. */
  onMarquee?: (ids: string[]) => void;
}

/** Room for the palette on the left and the bar at the foot. */
export const editorFit = {
  padding: { left: '252px', right: '48px', top: '48px', bottom: '112px' },
  maxZoom: 1,
  includeHiddenNodes: true,
} as const;

const LEFT = { palette: 252, strip: 92, nothing: 24 };

const fitOf = (left: keyof typeof LEFT): FitViewOptions => ({
  ...editorFit,
  padding: {
    ...editorFit.padding,
    left: `${LEFT[left]}px`,
    right: left === 'nothing' ? '24px' : editorFit.padding.right,
  },
});
const FITS = {
  palette: fitOf('palette'),
  strip: fitOf('strip'),
  nothing: fitOf('nothing'),
};

/**
 * How everything is fitted as the editor opens, by what stands on the left of the canvas. The same object
 * each time: React Flow lets a new one take the place of what was asked of a fit that is still to be done.
 */
export const fitBeside = (left: keyof typeof LEFT): FitViewOptions => FITS[left];

/** React Flow as both the editor and the run page use it: our nodes and edges, dot grid, overview; a large graph from afar is one picture. */
export function CanvasFrame({
  children,
  miniMap = true,
  nodes,
  edges,
  onMarquee,
  ...props
}: FrameProps) {
  const scheme = useComputedColorScheme('light');
  const drawn = useLowDetail(nodes, edges);
  const lanes = useLanes(nodes, edges);
  const [moving, setMoving] = useState(false);
  return (
    <LanesContext value={lanes}>
      <ReactFlow<FlowNode, FlowEdge>
        className={classes.flow}
        data-moving={moving}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={fit}
        minZoom={FARTHEST}
        maxZoom={2}
        onlyRenderVisibleElements
        deleteKeyCode={null}
        zoomOnDoubleClick={false}
        elevateNodesOnSelect={false}
        attributionPosition="bottom-left"
        proOptions={{ hideAttribution: true }}
        selectNodesOnDrag={false}
        nodeDragThreshold={2}
        onMoveStart={() => setMoving(true)}
        onMoveEnd={() => setMoving(false)}
        {...props}
        nodes={drawn.nodes}
        edges={drawn.edges}
        onPointerMove={drawn.onPointerMove}
      >
        <DotGrid />
        <ArrowHeads />
        {drawn.far ? (
          <Suspense>
            <LowDetailView nodes={nodes} edges={edges} scheme={scheme} onMarquee={onMarquee} />
          </Suspense>
        ) : null}
        {miniMap ? <Overview nodes={nodes} scheme={scheme} /> : null}
        {children}
      </ReactFlow>
    </LanesContext>
  );
}

/** A floating bar at the foot of the canvas. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <Panel
      position="bottom-center"
      className={classes.bottomBar}
      role="toolbar"
      aria-label="Canvas tools"
    >
      {children}
    </Panel>
  );
}

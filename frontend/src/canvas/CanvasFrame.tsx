import '@xyflow/react/dist/base.css';
import { Background, BackgroundVariant, type FitViewOptions, MiniMap, Panel, ReactFlow, type ReactFlowProps, useReactFlow, useStore } from '@xyflow/react';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FlowEdge, FlowNode } from '../store/flow.ts';
import classes from './canvas.module.css';
import { GraphNode } from './GraphNode.tsx';
import { Pill } from './Pill.tsx';
import { StickyNote } from './StickyNote.tsx';
import { ArrowHeads, Reference, Wire } from './Wire.tsx';

const nodeTypes = { card: GraphNode, note: StickyNote, pill: Pill };
const edgeTypes = { wire: Wire, reference: Reference };
const fit = { padding: 0.16, maxZoom: 1 };

function miniColor(node: FlowNode): string {
  if (node.type === 'note') return 'var(--gw-amber-soft)';
  return node.type === 'pill' ? 'var(--gw-accent)' : 'var(--gw-wire)';
}

/** Zoom out, the zoom itself (100 % on click), zoom in, fit. */
export function ZoomControls({ options = fit }: { options?: FitViewOptions }) {
  const flow = useReactFlow();
  const zoom = useStore((state) => Math.round(state.transform[2] * 100));
  const duration = 150;
  return (
    <>
      <Tooltip label="Zoom out"><ActionIcon aria-label="Zoom out" onClick={() => void flow.zoomOut({ duration })}><IconMinus size={16} /></ActionIcon></Tooltip>
      <button type="button" className={`${classes.zoom} gw-num`} title="Zoom to 100 %" onClick={() => void flow.zoomTo(1, { duration })}>{zoom} %</button>
      <Tooltip label="Zoom in"><ActionIcon aria-label="Zoom in" onClick={() => void flow.zoomIn({ duration })}><IconPlus size={16} /></ActionIcon></Tooltip>
      <Tooltip label="Fit everything"><ActionIcon aria-label="Fit everything" onClick={() => void flow.fitView({ ...options, duration })}><IconMaximize size={16} /></ActionIcon></Tooltip>
    </>
  );
}

/** A faint grid whose dots stay visible when zoomed out. */
function DotGrid() {
  const scale = useStore((state) => (state.transform[2] < 0.3 ? 4 : state.transform[2] < 0.65 ? 2 : 1));
  return <Background variant={BackgroundVariant.Dots} gap={24 * scale} size={1.6 * scale} color="var(--gw-dot)" bgColor="var(--gw-canvas)" />;
}

type FrameProps = ReactFlowProps<FlowNode, FlowEdge> & { children?: ReactNode; miniMap?: boolean };

/** Room for the palette on the left and the bar at the foot. */
export const editorFit = { padding: { left: '252px', right: '48px', top: '48px', bottom: '112px' }, maxZoom: 1 } as const;

/** React Flow as both the editor and the run page use it: our nodes and edges, dot grid, mini-map. */
export function CanvasFrame({ children, miniMap = true, ...props }: FrameProps) {
  return (
    <ReactFlow<FlowNode, FlowEdge>
      className={classes.flow} nodeTypes={nodeTypes} edgeTypes={edgeTypes} fitView fitViewOptions={fit} minZoom={0.08} maxZoom={2}
      onlyRenderVisibleElements deleteKeyCode={null} zoomOnDoubleClick={false} elevateNodesOnSelect={false} attributionPosition="bottom-left"
      proOptions={{ hideAttribution: true }} selectNodesOnDrag={false} nodeDragThreshold={2} {...props}
    >
      <DotGrid />
      <ArrowHeads />
      {miniMap ? (
        <MiniMap<FlowNode> className={classes.miniMap} nodeColor={miniColor} nodeBorderRadius={8} maskColor="var(--gw-mask)" bgColor="var(--gw-surface)" pannable zoomable ariaLabel="Overview of the graph" />
      ) : null}
      {children}
    </ReactFlow>
  );
}

/** A floating bar at the foot of the canvas. */
export function BottomBar({ children }: { children: ReactNode }) {
  return <Panel position="bottom-center" className={classes.bottomBar} role="toolbar" aria-label="Canvas tools">{children}</Panel>;
}

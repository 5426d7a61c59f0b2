import { ReactFlowProvider, useUpdateNodeInternals } from '@xyflow/react';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { GraphDoc, NodeTypeInfo } from '../api/types/types.ts';
import { toRecords } from '../graph/document/document.ts';
import { LARGE } from '../graph/layout/geometry.ts';
import type { Names } from '../graph/schema/summary.ts';
import { type Flow, type FlowNode, project } from '../store/flow.ts';
import { BottomBar, CanvasFrame, ZoomControls } from './CanvasFrame.tsx';
import { type CanvasScene, emptyScene, SceneContext, tintsOf } from './cards/context.ts';

export interface GraphCanvasProps {
  document: GraphDoc;
  nodeTypes: readonly NodeTypeInfo[];
  /** `run` draws what a run did; `edit` draws the graph as in the editor. Neither can be changed here. */
  mode: 'edit' | 'run';
  nodeView?: CanvasScene['nodeView'];
  /** Of an edge by id and by its index in the document (events name edges by index). */
  edgeView?: CanvasScene['edgeView'];
  names?: Names;
  selected?: string | null;
  onSelect?: (id: string | null) => void;
  miniMap?: boolean;
  controls?: boolean;
  children?: ReactNode;
}

/**
 * Measures nodes again that were drawn anew. A node that is replaced between its measuring and the next
 * drawing would never be measured, and wires are drawn between measured nodes only.
 */
function Measured({ nodes }: { nodes: readonly FlowNode[] }) {
  const measure = useUpdateNodeInternals();
  useEffect(() => {
    if (nodes.length <= LARGE) measure(nodes.map((node) => node.id));
  }, [nodes, measure]);
  return null;
}

/** A graph to look at: pan, zoom, select. The editor's own canvas is `EditorCanvas`. */
export function GraphCanvas(props: GraphCanvasProps) {
  const {
    document,
    nodeTypes,
    mode,
    nodeView,
    edgeView,
    names,
    selected = null,
    onSelect,
    miniMap = true,
    controls = true,
    children,
  } = props;
  const types = useMemo(() => new Map(nodeTypes.map((type) => [type.type, type])), [nodeTypes]);
  const flow = useMemo<Flow>(
    () =>
      project(
        toRecords(document),
        { nodes: [], edges: [] },
        { types, showAllPills: mode === 'edit' },
      ),
    [document, types, mode],
  );
  const nodes = useMemo(
    () =>
      selected
        ? flow.nodes.map((node) => (node.id === selected ? { ...node, selected: true } : node))
        : flow.nodes,
    [flow, selected],
  );
  const tints = useMemo(() => tintsOf(nodeTypes), [nodeTypes]);
  const scene = useMemo<CanvasScene>(
    () => ({
      ...emptyScene,
      mode: 'run',
      tints,
      nodeView: nodeView ?? emptyScene.nodeView,
      edgeView: edgeView ?? emptyScene.edgeView,
      names: names ?? emptyScene.names,
    }),
    [tints, nodeView, edgeView, names],
  );
  return (
    <ReactFlowProvider>
      <SceneContext value={scene}>
        <CanvasFrame
          nodes={nodes}
          edges={flow.edges}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          elementsSelectable
          miniMap={miniMap}
          onNodeClick={(_, node) => onSelect?.(node.type === 'card' ? node.id : null)}
          onPaneClick={() => onSelect?.(null)}
        >
          <Measured nodes={nodes} />
          {controls ? (
            <BottomBar>
              <ZoomControls />
            </BottomBar>
          ) : null}
          {children}
        </CanvasFrame>
      </SceneContext>
    </ReactFlowProvider>
  );
}

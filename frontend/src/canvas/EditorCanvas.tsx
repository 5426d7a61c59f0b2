import { SelectionMode, useReactFlow } from '@xyflow/react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import type { NodeTypeInfo, Problem } from '../api/types/types.ts';
import { NODE_WIDTH } from '../graph/layout/layout.ts';
import type { Names } from '../graph/schema/summary.ts';
import { useActiveElement } from './cards/active.ts';
import { useEditor } from '../store/editor.ts';
import { CanvasFrame, fitBeside } from './CanvasFrame.tsx';
import {
  type CanvasScene,
  emptyScene,
  type Onlooker,
  SceneContext,
  tintsOf,
} from './cards/context.ts';
import { Guides } from './Guides.tsx';
import { type MenuRequest, useMenuEvents, menuByKey } from './menuRequest.ts';
import { LateQuick, loadQuick } from './palette/LateQuick.tsx';
import { Palette } from './palette/Palette.tsx';
import { useDragHelp } from './useDragHelp.ts';
import { placeNext } from './placing.ts';
import { useCanvasGestures } from './useCanvasGestures.ts';

/** What the page may ask of the canvas. */
export interface CanvasHandle {
  openQuickPalette: () => void;
  /** Where new things go, in the coordinates of the graph: the middle, while `here` acts its place. */
  centre: () => { x: number; y: number };
  /** Act at a place of the window: what is added then, is added there. The canvas has the focus. */
  here: (at: { x: number; y: number }, act: () => void) => void;
  /** Ask for the menu of the selection. */
  openMenu: () => void;
  /** Open the palette for a node that goes into an edge. */
  insert: (edge: string) => void;
  focus: () => void;
}

interface EditorCanvasProps {
  types: readonly NodeTypeInfo[];
  names: Names;
  problems: ReadonlyMap<string, Problem[]>;
  dangers: CanvasScene['dangers'];
  openWays: CanvasScene['openWays'];
  onlookers: ReadonlyMap<string, Onlooker[]>;
  /** What a test run says about nodes and edges; absent where none is shown. */
  nodeView?: CanvasScene['nodeView'] | undefined;
  edgeView?: CanvasScene['edgeView'] | undefined;
  marks?: CanvasScene['marks'];
  remedy?: CanvasScene['remedy'];
  tool: 'select' | 'pan';
  paletteOpen: boolean;
  /** Whether nothing stands beside the canvas for want of room. */
  phone: boolean;
  /** Whether something else lies over all of it: then nothing of it is reached or heard. */
  covered: boolean;
  /** Off where the panels leave no room for it. */
  miniMap: boolean;
  onTogglePalette: () => void;
  onOpen: () => void;
  onMenu: (request: MenuRequest) => void;
  handle: RefObject<CanvasHandle | null>;
  children: ReactNode;
}

/** The canvas that the author draws on. Lives inside a `ReactFlowProvider`; the document is the editor store's. */
export function EditorCanvas(props: EditorCanvasProps) {
  const {
    types,
    names,
    problems,
    dangers,
    openWays,
    onlookers,
    nodeView = emptyScene.nodeView,
    edgeView = emptyScene.edgeView,
    marks = emptyScene.marks,
    remedy,
    tool,
    paletteOpen,
    phone,
    covered,
    miniMap,
    onTogglePalette,
    onOpen,
    onMenu,
    handle,
    children,
  } = props;
  const flow = useReactFlow();
  useEffect(() => void loadQuick(), []); // so that it is there before somebody asks for it
  const pane = useRef<HTMLDivElement>(null);
  const spot = useRef<{ x: number; y: number } | null>(null);
  const nodes = useEditor((state) => state.nodes);
  const edges = useEditor((state) => state.edges);
  const editable = useEditor((state) => state.can.edit);
  const byName = useEditor((state) => state.types);
  const gestures = useCanvasGestures(pane, byName);
  const { quick, spliceInto, onInsert } = gestures;
  const { guides, onNodesChange } = useDragHelp();
  const tints = useMemo(() => tintsOf(types), [types]);
  const scene = useMemo<CanvasScene>(
    () => ({
      ...emptyScene,
      mode: editable ? 'edit' : 'run',
      names,
      problems,
      dangers,
      openWays,
      onlookers,
      nodeView,
      edgeView,
      marks,
      remedy,
      tints,
      spliceInto,
      onInsert,
    }),
    [
      editable,
      names,
      problems,
      dangers,
      openWays,
      onlookers,
      nodeView,
      edgeView,
      marks,
      remedy,
      tints,
      spliceInto,
      onInsert,
    ],
  );
  useActiveElement(pane);
  const menuEvents = useMenuEvents(onMenu);
  const centre = useCallback(() => {
    if (spot.current) return flow.screenToFlowPosition(spot.current);
    const box = pane.current?.getBoundingClientRect();
    return flow.screenToFlowPosition({
      x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
      y: (box?.y ?? 0) + (box?.height ?? 0) / 2.4,
    });
  }, [flow]);
  useImperativeHandle(handle, () => ({
    openQuickPalette: () =>
      spot.current ? gestures.openQuick(spot.current) : gestures.openAtPointer(),
    centre,
    here: (at, act) => {
      gestures.focusCanvas();
      spot.current = at;
      act();
      spot.current = null;
    },
    openMenu: () => pane.current && onMenu(menuByKey(pane.current)),
    insert: (edge) =>
      gestures.openQuick(
        spot.current ?? (pane.current ? menuByKey(pane.current).at : { x: 0, y: 0 }),
        { edge },
      ),
    focus: gestures.focusCanvas,
  }));
  const add = useCallback(
    (type: NodeTypeInfo) => {
      const { x, y } = centre();
      placeNext(type, { x: x - NODE_WIDTH / 2, y: y - 30 });
    },
    [centre],
  );
  return (
    <div
      ref={pane}
      tabIndex={-1}
      style={{ position: 'absolute', inset: 0, outline: 'none' }}
      onDrop={gestures.handlers.onDrop}
      onDragOver={gestures.handlers.onDragOver}
      onPointerMove={gestures.handlers.onPointerMove}
      onPointerLeave={gestures.handlers.onPointerLeave}
      onDoubleClick={(event) => {
        if ((event.target as HTMLElement).classList.contains('react-flow__pane'))
          gestures.openQuick({ x: event.clientX, y: event.clientY });
      }}
    >
      <SceneContext value={scene}>
        <CanvasFrame
          nodes={nodes}
          edges={edges}
          onMarquee={useEditor.getState().select}
          onNodesChange={onNodesChange}
          onEdgesChange={useEditor.getState().onEdgesChange}
          onConnect={gestures.handlers.onConnect}
          onConnectEnd={gestures.handlers.onConnectEnd}
          onReconnect={gestures.handlers.onReconnect}
          onNodeDrag={gestures.handlers.onNodeDrag}
          onNodeDragStop={gestures.handlers.onNodeDragStop}
          onSelectionDragStop={() => useEditor.getState().settle('Move')}
          isValidConnection={gestures.handlers.isValidConnection}
          {...menuEvents}
          nodesDraggable={editable}
          nodesConnectable={editable}
          edgesReconnectable={editable}
          connectionRadius={28}
          snapToGrid
          snapGrid={[8, 8]}
          selectionOnDrag={tool === 'select'}
          panOnDrag={tool === 'pan' ? true : [1, 2]}
          panOnScroll
          selectionMode={SelectionMode.Partial}
          multiSelectionKeyCode={['Meta', 'Control', 'Shift']}
          selectionKeyCode={null}
          onNodeDoubleClick={(_, node) => node.type === 'card' && onOpen()}
          disableKeyboardA11y
          nodesFocusable={false}
          edgesFocusable={false}
          tabIndex={0}
          data-region="canvas"
          inert={covered}
          aria-label="Canvas"
          fitViewOptions={fitBeside(phone ? 'nothing' : paletteOpen ? 'palette' : 'strip')}
          miniMap={miniMap}
        >
          <Guides guides={guides} />
          {children}
        </CanvasFrame>
        {editable ? (
          <Palette types={types} open={paletteOpen} onToggle={onTogglePalette} onAdd={add} />
        ) : null}
        {quick ? (
          <LateQuick types={types} quick={quick} onPick={gestures.pick} onClose={gestures.close} />
        ) : null}
      </SceneContext>
    </div>
  );
}

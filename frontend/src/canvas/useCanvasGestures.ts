import {
  type Connection,
  type FinalConnectionState,
  type OnConnectEnd,
  type OnNodeDrag,
  useReactFlow,
} from '@xyflow/react';
import {
  type DragEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useRef,
  useState,
} from 'react';
import type { NodeTypeInfo } from '../api/types/types.ts';
import { NODE_WIDTH } from '../graph/layout/layout.ts';
import { connect, splice } from '../graph/editing/operations.ts';
import { canConnect, MAIN } from '../graph/schema/ports.ts';
import { focusGraph } from '../ui/keys/focusGraph.ts';
import { useEditor } from '../store/editor.ts';
import type { FlowEdge, FlowNode } from '../store/flow.ts';
import { ADDING, keepTyped, takeTyped } from '../ui/keys/earlyKeys.ts';
import { DRAG_TYPE } from './palette/Palette.tsx';
import {
  askWhen,
  atWire,
  dropNode,
  type Fresh,
  placeNext,
  placeNode,
  type WireEnd,
} from './placing.ts';

/** Where the quick palette is open, and what happens to the node that is picked. */
export interface QuickState {
  /** In pixels of the canvas. */
  at: { x: number; y: number };
  /** In the coordinates of the graph. */
  place: { x: number; y: number };
  wire?: WireEnd;
  edge?: string;
}

const QUICK = { width: 284, height: 340 };

/** The id of the edge under a point of the window; null when there is none. */
function edgeAt(x: number, y: number): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const id = element.closest('.react-flow__edge')?.getAttribute('data-id');
    if (id && useEditor.getState().records.edges.has(id)) return id;
  }
  return null;
}

const isFree = (id: string) =>
  ![...useEditor.getState().records.edges.values()].some(
    (edge) => edge.source === id || edge.target === id,
  );

function endpointOf(state: FinalConnectionState): QuickState['wire'] {
  const handle = state.fromHandle;
  if (!handle) return undefined;
  return {
    node: handle.nodeId,
    port: handle.id ?? MAIN,
    direction: handle.type === 'source' ? 'from' : 'to',
  };
}

/** The gestures of the editor's canvas: connect, drop, drag into an edge, quick palette. */
export function useCanvasGestures(
  pane: RefObject<HTMLDivElement | null>,
  types: ReadonlyMap<string, NodeTypeInfo>,
) {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const [quick, setQuick] = useState<QuickState | null>(null);
  const back = useRef<HTMLElement | null>(null);
  const [spliceInto, setSpliceInto] = useState<string | null>(null);

  const focusCanvas = useCallback(() => {
    const drawing = pane.current?.querySelector<HTMLElement>('.react-flow');
    if (drawing?.inert) focusGraph();
    else drawing?.focus({ preventScroll: true });
  }, [pane]);
  /** Put the palette away; the focus goes back to where it was asked for. */
  const close = useCallback(() => {
    takeTyped();
    setQuick(null);
    if (back.current?.isConnected) back.current.focus();
    else focusCanvas();
  }, [focusCanvas]);

  const openQuick = useCallback(
    (client: { x: number; y: number }, extra: Pick<QuickState, 'wire' | 'edge'> = {}) => {
      const box = pane.current?.getBoundingClientRect();
      if (!box || !useEditor.getState().can.edit) return;
      const at = {
        x: Math.max(8, Math.min(client.x - box.x, box.width - QUICK.width)),
        y: Math.max(8, Math.min(client.y - box.y, box.height - QUICK.height)),
      };
      const focused = document.activeElement;
      back.current =
        focused instanceof HTMLElement && focused.closest('[role="tree"]') ? focused : null;
      keepTyped(ADDING, close);
      setQuick({ at, place: flow.screenToFlowPosition(client), ...extra });
    },
    [flow, pane, close],
  );

  const pointer = useRef<{ x: number; y: number } | null>(null);
  const onPointerMove = useCallback((event: PointerEvent) => {
    const onCanvas =
      event.target instanceof Element && event.target.closest('.react-flow__renderer') !== null;
    pointer.current = onCanvas ? { x: event.clientX, y: event.clientY } : null;
  }, []);
  const onPointerLeave = useCallback(() => {
    pointer.current = null;
  }, []);

  const openAtPointer = useCallback(() => {
    const box = pane.current?.getBoundingClientRect();
    if (pointer.current) openQuick(pointer.current);
    else if (box) openQuick({ x: box.x + box.width / 2 - 136, y: box.y + box.height / 3 });
  }, [openQuick, pane]);

  const pick = useCallback(
    (type: NodeTypeInfo, fresh: Fresh) => {
      if (!quick) return;
      const back = quick.wire?.direction === 'to' ? NODE_WIDTH : 0;
      const shift = quick.edge ? NODE_WIDTH / 2 : back;
      const place = { x: quick.place.x - shift, y: quick.place.y - 30 };
      const at = quick.wire ? atWire(place, quick.wire) : place;
      if (quick.wire || quick.edge) placeNode(type, at, quick.wire, quick.edge, fresh);
      else placeNext(type, place, fresh);
      if (quick.wire) askWhen();
      close();
    },
    [quick, close],
  );

  const onConnect = useCallback(({ source, target, sourceHandle }: Connection) => {
    useEditor
      .getState()
      .gesture('Connect', (records) => connect(records, source, sourceHandle ?? MAIN, target));
    askWhen();
  }, []);

  const onConnectEnd = useCallback<OnConnectEnd>(
    (event, state) => {
      const wire = endpointOf(state);
      if (state.toNode || !wire) return;
      const point = 'changedTouches' in event ? event.changedTouches[0] : event;
      if (point) openQuick({ x: point.clientX, y: point.clientY }, { wire });
    },
    [openQuick],
  );

  const onReconnect = useCallback((old: FlowEdge, { source, target, sourceHandle }: Connection) => {
    useEditor.getState().gesture('Reconnect', (records) => {
      const edge = records.edges.get(old.id);
      if (!edge) return records;
      const moved = connect(records, source, sourceHandle ?? MAIN, target);
      if (moved === records) return records;
      const fresh = [...moved.edges.values()].at(-1);
      if (!fresh) return records;
      const edges = new Map(records.edges);
      const kept =
        source === edge.source && (sourceHandle ?? MAIN) === old.sourceHandle
          ? { ...edge, target }
          : { ...fresh, id: edge.id, ...(edge.label ? { label: edge.label } : {}) };
      edges.set(edge.id, kept);
      return { ...records, edges };
    });
  }, []);

  const onDrop = useCallback(
    (event: DragEvent) => {
      const type = types.get(event.dataTransfer.getData(DRAG_TYPE));
      setSpliceInto(null);
      if (!type || !useEditor.getState().can.edit) return;
      event.preventDefault();
      const place = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      dropNode(
        type,
        { x: place.x - NODE_WIDTH / 2, y: place.y - 30 },
        edgeAt(event.clientX, event.clientY),
      );
    },
    [flow, types],
  );

  const onDragOver = useCallback((event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setSpliceInto(edgeAt(event.clientX, event.clientY));
  }, []);

  const onNodeDrag = useCallback<OnNodeDrag<FlowNode>>((event, node) => {
    if ('clientX' in event)
      setSpliceInto(
        node.type === 'card' && isFree(node.id) ? edgeAt(event.clientX, event.clientY) : null,
      );
  }, []);

  const onNodeDragStop = useCallback(
    (_: unknown, node: FlowNode) => {
      const edge = spliceInto;
      setSpliceInto(null);
      useEditor.getState().settle('Move');
      if (edge)
        useEditor
          .getState()
          .gesture('Insert into a wire', (records) => splice(records, edge, node.id));
    },
    [spliceInto],
  );

  const onInsert = useCallback(
    (edge: string, at: { x: number; y: number }) =>
      openQuick(flow.flowToScreenPosition(at), { edge }),
    [flow, openQuick],
  );

  const isValidConnection = useCallback((edge: Connection | FlowEdge) => {
    const { records } = useEditor.getState();
    return canConnect(records, edge.source, edge.sourceHandle ?? MAIN, edge.target);
  }, []);

  return {
    quick,
    close,
    focusCanvas,
    openQuick,
    openAtPointer,
    pick,
    spliceInto,
    onInsert,
    handlers: {
      onConnect,
      onConnectEnd,
      onReconnect,
      onDrop,
      onDragOver,
      onNodeDrag,
      onNodeDragStop,
      isValidConnection,
      onPointerMove,
      onPointerLeave,
    },
  };
}

import { useMemo } from 'react';
import { selectedEdgeIds, selectedIds, useEditor } from '../store/editor.ts';
import type { FlowEdge, FlowNode } from '../store/flow.ts';

export type MenuKind = 'node' | 'wire' | 'note' | 'frame' | 'canvas';

/** A menu that is asked for: what it is about, and where in the window. What it is about is selected already. */
export interface MenuRequest {
  kind: MenuKind;
  at: { x: number; y: number };
  byKey: boolean;
}

interface Place {
  clientX: number;
  clientY: number;
}

/** What a menu for the selection is about; of several kinds the node is meant. */
export function kindOfSelection(): MenuKind {
  const { records } = useEditor.getState();
  const ids = selectedIds();
  if (ids.some((id) => records.nodes.has(id))) return 'node';
  const note = records.notes.get(ids[0] ?? '');
  if (note) return note.kind === 'frame' ? 'frame' : 'note';
  return selectedEdgeIds().length > 0 ? 'wire' : 'canvas';
}

/** Where the first selected thing is drawn in the window; null when nothing is, or nothing is selected. */
function placeOfSelection(pane: HTMLElement): { x: number; y: number } | null {
  const [node] = selectedIds();
  const [edge] = selectedEdgeIds();
  const id = node ?? edge;
  if (!id) return null;
  const drawn = pane
    .querySelector(`.react-flow__${node ? 'node' : 'edge'}[data-id="${CSS.escape(id)}"]`)
    ?.getBoundingClientRect();
  if (!drawn) return null;
  return node
    ? { x: drawn.x + drawn.width / 2, y: drawn.y + Math.min(drawn.height, 48) }
    : { x: drawn.x + drawn.width / 2, y: drawn.y + drawn.height / 2 };
}

/** The menu that the keyboard asks for: about the selection, beside it, and always inside the canvas. */
export function menuByKey(pane: HTMLElement): MenuRequest {
  const box = pane.getBoundingClientRect();
  const place = placeOfSelection(pane) ?? { x: box.x + box.width / 2, y: box.y + box.height / 3 };
  const within = (value: number, from: number, size: number) =>
    Math.max(from + 8, Math.min(value, from + size - 8));
  return {
    kind: kindOfSelection(),
    at: { x: within(place.x, box.x, box.width), y: within(place.y, box.y, box.height) },
    byKey: true,
  };
}

/** React Flow's menu events as requests. What is under the pointer is selected first, unless it is one of several that are. */
export function useMenuEvents(onMenu: (request: MenuRequest) => void) {
  return useMemo(() => {
    const ask = (event: Place & { preventDefault: () => void }, kind: MenuKind) => {
      event.preventDefault();
      onMenu({ kind, at: { x: event.clientX, y: event.clientY }, byKey: false });
    };
    const onCanvas = (event: Place & { preventDefault: () => void }) => {
      useEditor.getState().select([]);
      ask(event, 'canvas');
    };
    return {
      onNodeContextMenu: (event: React.MouseEvent, node: FlowNode) => {
        if (node.type === 'pill') return onCanvas(event);
        if (!selectedIds().includes(node.id)) useEditor.getState().select([node.id]);
        ask(event, kindOfSelection());
      },
      onEdgeContextMenu: (event: React.MouseEvent, edge: FlowEdge) => {
        if (edge.type !== 'wire') return onCanvas(event);
        useEditor.getState().select([edge.id]);
        ask(event, 'wire');
      },
      onSelectionContextMenu: (event: React.MouseEvent) => ask(event, kindOfSelection()),
      onPaneContextMenu: (event: React.MouseEvent | MouseEvent) => {
        const onThing =
          event.target instanceof Element &&
          event.target.closest('.react-flow__node, .react-flow__edge') !== null;
        if (!onThing) onCanvas(event);
      },
    };
  }, [onMenu]);
}

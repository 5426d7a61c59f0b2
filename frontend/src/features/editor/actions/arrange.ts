import { notifications } from '@mantine/notifications';
import { writeNote } from '../../../canvas/cards/noteEditing.ts';
import { freePlace } from '../../../canvas/placing.ts';
import { withRecords } from '../../../graph/document/diff.ts';
import { type DraftEdge, freshId } from '../../../graph/document/document.ts';
import { heightOf, FOOT, LARGE } from '../../../graph/layout/geometry.ts';
import { isInside } from '../../../graph/layout/guides.ts';
import {
  align,
  type Alignment,
  type Box,
  distribute,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Size,
  snap,
} from '../../../graph/layout/layout.ts';
import { place, removeAndHeal } from '../../../graph/editing/operations.ts';
import { portOf } from '../../../graph/schema/ports.ts';
import { reach, type Way } from '../../../graph/schema/reach.ts';
import { joinedWires, removeTidily } from '../../../graph/wiring/healing.ts';
import { nameOf } from '../../../graph/wiring/told.ts';
import { selectedEdgeIds, selectedIds, useEditor } from '../../../store/editor.ts';
import type { FlowNode } from '../../../store/flow.ts';

function boxes(): Box[] {
  return useEditor
    .getState()
    .nodes.filter((node) => node.selected && node.type !== 'pill')
    .map((node) => ({
      id: node.id,
      ...node.position,
      width: node.measured?.width ?? NODE_WIDTH,
      height: node.measured?.height ?? NODE_HEIGHT,
    }));
}

/** Line the selection up. */
export function alignSelection(how: Alignment): void {
  const chosen = boxes();
  if (chosen.length > 1)
    useEditor.getState().gesture('Align', (records) => place(records, align(chosen, how)));
}

/** Equal gaps in the selection. */
export function distributeSelection(axis: 'x' | 'y'): void {
  const chosen = boxes();
  if (chosen.length > 2)
    useEditor
      .getState()
      .gesture('Distribute', (records) => place(records, distribute(chosen, axis)));
}

/** How long cards glide to their new places, in milliseconds. */
export const GLIDE_MS = 180;

/** Let nodes on screen glide to their new places, then take these into the document. At once for those who want no motion. */
function glide(to: ReadonlyMap<string, { x: number; y: number }>, done: () => void): void {
  const before = new Map(useEditor.getState().nodes.map((node) => [node.id, node.position]));
  const calm = to.size > LARGE || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const start = performance.now();
  const frame = (now: number) => {
    const part = calm ? 1 : Math.min(1, Math.max(0, (now - start) / GLIDE_MS));
    if (part >= 1) return done();
    const eased = 1 - (1 - part) ** 3;
    const between = (id: string, position: { x: number; y: number }) => {
      const [from, target] = [before.get(id), to.get(id)];
      return from && target
        ? { x: from.x + (target.x - from.x) * eased, y: from.y + (target.y - from.y) * eased }
        : position;
    };
    useEditor.setState((state) => ({
      nodes: state.nodes.map((node) =>
        to.has(node.id) ? { ...node, position: between(node.id, node.position) } : node,
      ),
    }));
    requestAnimationFrame(frame);
  };
  frame(start);
}

/** The room that a node takes, with what a run adds at the foot of its card. */
function roomOf(node: FlowNode): Size {
  const { width = NODE_WIDTH, height = NODE_HEIGHT } = node.measured ?? {};
  const running = node.type === 'card' ? heightOf(node.data.ports) + FOOT : 0;
  return { width, height: Math.max(height, running) };
}

/** The place of each wire among the ports of the card that it leaves. */
function rowsOf(nodes: readonly FlowNode[]): (edge: DraftEdge) => number {
  const rows = new Map(
    nodes.flatMap((node) =>
      node.type === 'card'
        ? node.data.ports.map((port, row) => [`${node.id} ${port.id}`, row] as const)
        : [],
    ),
  );
  return (edge) => rows.get(`${edge.source} ${portOf(edge)}`) ?? 0;
}

/** Lay out the selected nodes, or all when fewer than two are selected: then `fit` takes them into sight. One undo step. */
export async function tidyUp(fit: () => void): Promise<void> {
  const { tidy } = await import('../../../graph/layout/tidy.ts');
  const { nodes, records, gesture } = useEditor.getState();
  const sizes = new Map(nodes.map((node) => [node.id, roomOf(node)]));
  const ids = selectedIds();
  const only = ids.length > 1 ? new Set(ids) : undefined;
  const places = tidy(
    records,
    only,
    (id) => sizes.get(id) ?? { width: NODE_WIDTH, height: NODE_HEIGHT },
    rowsOf(nodes),
  );
  glide(places, () => {
    gesture('Tidy', (current) => place(current, places));
    if (!only) fit();
  });
}

/** Move the selection by so many pixels. */
export function nudge(x: number, y: number): void {
  const moved = boxes().map((box) => [box.id, { x: box.x + x, y: box.y + y }] as const);
  if (moved.length > 0)
    useEditor.getState().gesture('Nudge', (records) => place(records, new Map(moved)));
}

/** Remove what is selected. What led to a node is joined with what followed: with `heal` always, else where it lies on one way only. */
export function deleteSelection(heal: boolean): void {
  const ids = new Set([...selectedIds(), ...selectedEdgeIds()]);
  if (ids.size === 0) return;
  useEditor
    .getState()
    .gesture('Delete', (records) => (heal ? removeAndHeal : removeTidily)(records, ids));
  if (!heal) tellJoined();
}

/** Say for the eye too that a wire was drawn which nobody drew: it may lie off screen. */
function tellJoined(): void {
  const { records, undoStack } = useEditor.getState();
  const [wire, ...more] = joinedWires(undoStack.at(-1)?.changes ?? []);
  if (!wire) return;
  const [from, to] = [wire.source, wire.target].map((id) => nameOf(records, id));
  notifications.show({
    id: 'wire-joined',
    ...(more.length > 0
      ? { title: `${more.length + 1} wires joined`, message: 'Undo takes them back.' }
      : { title: 'Wire joined', message: `${from} now leads to ${to}. Undo takes it back.` }),
  });
}

/** Disable the selected nodes, or enable them when all are disabled. */
export function toggleDisabled(): void {
  const ids = selectedIds();
  useEditor.getState().gesture('Disable', (records) => {
    const nodes = ids.flatMap((id) => records.nodes.get(id) ?? []);
    const disabled = !nodes.every((node) => node.disabled);
    return withRecords(
      records,
      nodes.map((node) => ({ kind: 'node', id: node.id, value: { ...node, disabled } })),
    );
  });
}

/** A new sticky note at a place, or in the next free room below; the cursor is in it. */
export function addNote(at: { x: number; y: number }): void {
  const id = freshId('note');
  const size = { width: 240, height: 120 };
  const note = { id, kind: 'note' as const, text: '', position: freePlace(at, size), size };
  useEditor
    .getState()
    .gesture('Add note', (records) => withRecords(records, [{ kind: 'note', id, value: note }]));
  useEditor.getState().select([id]);
  writeNote(id);
}

/** A frame around the selection. */
export function frameSelection(): void {
  const chosen = boxes();
  if (chosen.length === 0) return;
  const left = Math.min(...chosen.map((box) => box.x)) - 32;
  const top = Math.min(...chosen.map((box) => box.y)) - 56;
  const right = Math.max(...chosen.map((box) => box.x + box.width)) + 32;
  const bottom = Math.max(...chosen.map((box) => box.y + box.height)) + 32;
  const id = freshId('frame');
  const frame = {
    id,
    kind: 'frame' as const,
    text: 'Group',
    position: { x: snap(left), y: snap(top) },
    size: { width: snap(right - left), height: snap(bottom - top) },
  };
  useEditor
    .getState()
    .gesture('Frame', (records) => withRecords(records, [{ kind: 'note', id, value: frame }]));
  useEditor.getState().select([id]);
}

/** Select the chosen nodes with all that follows them, or with all that leads to them. */
export function selectAlong(way: Way): void {
  const { records, select } = useEditor.getState();
  select(reach(records, selectedIds(), way));
}

/** The frame that alone is selected; undefined when there is none. */
export function chosenFrame(): string | undefined {
  const ids = selectedIds();
  return ids.length === 1 && useEditor.getState().records.notes.get(ids[0] ?? '')?.kind === 'frame'
    ? ids[0]
    : undefined;
}

/** Select the nodes and notes that lie wholly in the selected frame. */
export function selectInside(): void {
  const frame = chosenFrame();
  const { nodes, select } = useEditor.getState();
  const all = nodes
    .filter((node) => node.type !== 'pill')
    .map((node) => ({
      id: node.id,
      ...node.position,
      width: node.measured?.width ?? NODE_WIDTH,
      height: node.measured?.height ?? NODE_HEIGHT,
    }));
  const around = all.find((box) => box.id === frame);
  if (around)
    select(all.filter((box) => box.id !== frame && isInside(box, around)).map((box) => box.id));
}

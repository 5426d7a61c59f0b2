import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { useLanded } from '../transfer/clipboard.ts';
import { freeRoom, OUTLINE, READABLE } from './fit.ts';

const MARGIN = 24;
/** Room that the bar at the foot of the canvas takes. */
const FOOT = 72;
const PALETTE = 252;
/** So soon after a card was pressed, it was selected by that. */
const CLICK_MS = 1_000;
/** What may be hidden of a card: the canvas does not move for less. */
const LITTLE = 24;
const INSPECTOR = 344;

/** Act once the canvas has drawn what was changed. */
function whenDrawn(act: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(act);
  });
  return () => cancelAnimationFrame(frame);
}

/** Bring a card in sight that alone is selected: by keys, in a list, or as it was added. What is clicked stays where it is. */
function useBringIn(stage: RefObject<HTMLElement | null>, narrow: boolean): void {
  const flow = useReactFlow();
  const only = useEditor((state) => {
    const [id, ...more] = selectedIds(state);
    return more.length === 0 ? id : undefined;
  });
  const pressed = useRef(-Infinity);
  useEffect(() => {
    const press = (event: PointerEvent) => {
      const card = event.target instanceof Element && event.target.closest('.react-flow__node');
      pressed.current = card ? event.timeStamp : -Infinity;
    };
    window.addEventListener('pointerdown', press, true);
    return () => window.removeEventListener('pointerdown', press, true);
  }, []);
  useEffect(() => {
    const element = stage.current;
    if (performance.now() - pressed.current < CLICK_MS) return;
    if (!only || !element || element.querySelector('.react-flow__selection')) return;
    return whenDrawn(() => bringIn(flow, element, [only], narrow));
  }, [only, stage, flow, narrow]);
  const landed = useLanded((state) => state.ids);
  useEffect(() => {
    const element = stage.current;
    if (landed.length === 0 || !element) return;
    return whenDrawn(() => bringIn(flow, element, [...landed], narrow));
  }, [landed]); // eslint-disable-line react-hooks/exhaustive-deps -- once for each paste
}

/** Keep the selected card, else the whole graph where all of it was to be seen, in sight when the canvas becomes smaller. */
export function useKeepInSight(stage: RefObject<HTMLElement | null>, narrow: boolean): void {
  const flow = useReactFlow();
  useBringIn(stage, narrow);
  const before = useRef(0);
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const look = new ResizeObserver(([entry]) => {
      const height = Math.round(entry?.contentRect.height ?? 0);
      const was = before.current;
      before.current = height;
      if (was === 0 || height === was || height === 0) return;
      const chosen = selectedIds(useEditor.getState());
      if (chosen.length > 0) bringIn(flow, element, chosen, narrow);
      else if (height < was && wasWhole(flow, was))
        void flow.fitView({ ...freeRoom(element), minZoom: READABLE });
    });
    look.observe(element);
    return () => look.disconnect();
  }, [stage, flow, narrow]);
}

type Flow = ReturnType<typeof useReactFlow>;

/** Whether all of the graph could be seen in a canvas of this height. */
function wasWhole(flow: Flow, height: number): boolean {
  const { y, zoom } = flow.getViewport();
  const box = flow.getNodesBounds(flow.getNodes());
  return box.y * zoom + y >= 0 && (box.y + box.height) * zoom + y <= height;
}

/** Move the canvas as little as is needed to show these nodes between its panels. */
function bringIn(flow: Flow, stage: HTMLElement, ids: string[], narrow: boolean): void {
  const { x, y, zoom } = flow.getViewport();
  const box = flow.getNodesBounds(ids);
  if (box.width === 0) return;
  const outline = stage.dataset['outline'] === 'true' ? OUTLINE : 0;
  const left = outline || (narrow ? MARGIN : PALETTE);
  const dx = shift(box.x * zoom + x, box.width * zoom, left, stage.clientWidth - INSPECTOR);
  const dy = shift(box.y * zoom + y, box.height * zoom, MARGIN, stage.clientHeight - FOOT);
  if (Math.abs(dx) > LITTLE || Math.abs(dy) > LITTLE)
    void flow.setViewport({ x: x + dx, y: y + dy, zoom });
}

/** How far a stretch moves to lie between two bounds; its beginning comes first where it is too long. */
function shift(at: number, size: number, from: number, to: number): number {
  if (at >= from && at + size <= to) return 0;
  return at < from || size > to - from ? from - at : to - (at + size);
}

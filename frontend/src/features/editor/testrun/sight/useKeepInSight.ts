import { type Rect, useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { FARTHEST } from '../../../../canvas/CanvasFrame.tsx';
import { START } from '../../../../graph/document/document.ts';
import { selectedIds, useEditor } from '../../../../store/editor.ts';
import { useLanded } from '../../transfer/clipboardEvents.ts';
import { ABOVE_SHEET, freeRoom, INSPECTOR, OUTLINE, READABLE } from './fit.ts';

const MARGIN = 24;
/** Room that the bar at the foot of the canvas takes. */
const FOOT = 72;
/** Between the palette and a card. */
const AIR = 18;
const PALETTE = 252;
/** The palette where it is a strip of icons. */
const STRIP = 76;
/** So soon after a card was pressed, it was selected by that. */
const CLICK_MS = 1_000;
/** What is clicked may be clicked twice: only then the canvas moves. */
const TWICE_MS = 400;
/** What may be hidden of a card: the canvas does not move for less. */
const LITTLE = 24;

/** Act once the canvas has drawn what was changed. */
function whenDrawn(act: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(act);
  });
  return () => cancelAnimationFrame(frame);
}

/** When a card was pressed last, in the time of events. */
function usePressed(): RefObject<number> {
  const pressed = useRef(-Infinity);
  useEffect(() => {
    const press = (event: PointerEvent) => {
      const card = event.target instanceof Element && event.target.closest('.react-flow__node');
      pressed.current = card ? event.timeStamp : -Infinity;
    };
    window.addEventListener('pointerdown', press, true);
    return () => window.removeEventListener('pointerdown', press, true);
  }, []);
  return pressed;
}

/**
 * Bring a card in sight that alone is selected: by keys, in a list, or as it was added. What is clicked
 * stays where it is, unless the inspector that opens for it or the palette covers it, or it hangs out of the
 * canvas below.
 */
function useBringIn(stage: RefObject<HTMLElement | null>, narrow: boolean): void {
  const flow = useReactFlow();
  const only = useEditor((state) => {
    const [id, ...more] = selectedIds(state);
    return more.length === 0 ? id : undefined;
  });
  const fresh = useRef<ReadonlySet<string>>(new Set());
  const pressed = usePressed();
  useEffect(() => {
    const element = stage.current;
    const isNew = only !== undefined && !fresh.current.has(only);
    fresh.current = new Set(useEditor.getState().records.nodes.keys());
    if (!only || !element || element.querySelector('.react-flow__selection')) return;
    if (isNew || performance.now() - pressed.current >= CLICK_MS)
      return whenDrawn(() => bringIn(flow, element, [only], { narrow }));
    const wait = setTimeout(
      () => bringIn(flow, element, [only], { narrow, clicked: true }),
      TWICE_MS,
    );
    return () => clearTimeout(wait);
  }, [only, stage, flow, narrow, pressed]);
  const landed = useLanded((state) => state.ids);
  useEffect(() => {
    const element = stage.current;
    if (landed.length === 0 || !element) return;
    return whenDrawn(() => bringWholeIn(flow, element, withStart(landed), narrow));
  }, [landed]); // eslint-disable-line react-hooks/exhaustive-deps -- once for each paste
}

/**
 * Keep the selected card, else the whole graph where all of it was to be seen, in sight when the canvas
 * becomes smaller; once it is as large as before, what nobody moved since comes back as it was. A card
 * that waits for a person (`waiting`) comes in sight, unless something is selected.
 */
export function useKeepInSight(
  stage: RefObject<HTMLElement | null>,
  narrow: boolean,
  waiting: string | null,
): void {
  const flow = useReactFlow();
  useBringIn(stage, narrow);
  const before = useRef(0);
  const back = useRef<Back | null>(null);
  const asking = useRef(waiting);
  useEffect(() => {
    asking.current = waiting;
    const element = stage.current;
    if (waiting === null || !element) return;
    return whenDrawn(() => {
      const untouched = back.current && same(back.current.made, flow.getViewport());
      follow(flow, element, waiting, narrow);
      if (back.current && untouched) back.current.made = flow.getViewport();
    });
  }, [waiting, stage, flow, narrow]);
  useGrowing(stage, narrow, waiting, (bring) => {
    const untouched = back.current && same(back.current.made, flow.getViewport());
    bring();
    if (back.current && untouched) back.current.made = flow.getViewport();
  });
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const look = new ResizeObserver(([entry]) => {
      const height = Math.round(entry?.contentRect.height ?? 0);
      const was = before.current;
      before.current = height;
      if (was === 0 || height === was || height === 0) return;
      if (height > was) {
        back.current = restored(flow, back.current, height);
        return;
      }
      const view = flow.getViewport();
      const done = shrink(flow, element, was, narrow);
      if (!done) return;
      const first = back.current && same(back.current.made, view) ? back.current : null;
      const kept = first ?? { height: was, view, made: view };
      back.current = kept;
      // what is fitted is so once the canvas has measured its cards
      void done.then(() => {
        if (isLeft) return;
        drawn = whenDrawn(() => {
          follow(flow, element, asking.current, narrow);
          back.current = { ...kept, made: flow.getViewport() };
        });
      });
    });
    let drawn = () => {};
    let isLeft = false;
    look.observe(element);
    return () => {
      isLeft = true;
      look.disconnect();
      drawn();
    };
  }, [stage, flow, narrow]);
}

/**
 * Keep the card that is looked at (the selected one, else the one that waits) in sight as it grows, by what
 * its step says or asks; one that was out of sight before stays so.
 */
function useGrowing(
  stage: RefObject<HTMLElement | null>,
  narrow: boolean,
  waiting: string | null,
  act: (bring: () => void) => void,
): void {
  const flow = useReactFlow();
  const id = useEditor((state) => lookedAt(state, waiting));
  const height = useEditor((state) => heightOf(state, id));
  const before = useRef({ id, height });
  const move = useRef(act);
  useEffect(() => {
    move.current = act;
  });
  useEffect(() => {
    const was = before.current;
    before.current = { id, height };
    const element = stage.current;
    if (!id || !element || was.id !== id || was.height === 0 || height <= was.height) return;
    const box = { ...flow.getNodesBounds([id]), height: was.height };
    const view = flow.getViewport();
    if (!same(littleMoved(view, box, between(element, narrow), false), view)) return;
    let isDone = false;
    const stop = whenDrawn(() => {
      isDone = true;
      move.current(() => bringIn(flow, element, [id], { narrow }));
    });
    return () => {
      stop();
      // it grew again before it was brought in: it was in sight when it was that high
      if (!isDone) before.current = was;
    };
  }, [id, height, stage, flow, narrow]);
}

type EditorState = ReturnType<typeof useEditor.getState>;

/** The one selected card, else the one that waits where nothing is selected. */
function lookedAt(state: EditorState, waiting: string | null): string | null {
  const [only, ...more] = selectedIds(state);
  if (more.length > 0) return null;
  return only ?? waiting;
}

/** How high a card is; 0 while it is not known. */
const heightOf = ({ nodes }: EditorState, id: string | null): number =>
  (id !== null && nodes.find((node) => node.id === id)?.measured?.height) || 0;

/** What was pasted, and where it is all there is the start that stands beside it. */
function withStart(landed: readonly string[]): string[] {
  const isAll = [...useEditor.getState().records.nodes.keys()].every((id) => landed.includes(id));
  return isAll ? [START, ...landed] : [...landed];
}

type Flow = ReturnType<typeof useReactFlow>;
type View = ReturnType<Flow['getViewport']>;
/** What is free of the canvas, from its margin above. */
type Free = Record<'left' | 'right' | 'bottom', number>;

/** A view to come back to: how it was at which height, and what was made of it. */
interface Back {
  height: number;
  view: View;
  made: View;
}

const same = (one: View, other: View) =>
  Math.abs(one.x - other.x) < 1 && Math.abs(one.y - other.y) < 1 && one.zoom === other.zoom;

/** Make the best of a lower canvas, and say when it is done; null where there was nothing to do. */
function shrink(
  flow: Flow,
  stage: HTMLElement,
  was: number,
  narrow: boolean,
): Promise<unknown> | null {
  const chosen = selectedIds(useEditor.getState());
  if (chosen.length === 0)
    return wasWhole(flow, was) ? flow.fitView({ ...freeRoom(stage), minZoom: READABLE }) : null;
  bringIn(flow, stage, chosen, { narrow });
  return Promise.resolve();
}

/** Bring in the card that waits for a person, where nothing else is looked at. */
function follow(flow: Flow, stage: HTMLElement, waiting: string | null, narrow: boolean): void {
  if (waiting !== null && selectedIds(useEditor.getState()).length === 0)
    bringIn(flow, stage, [waiting], { narrow });
}

/** Go back to the view of a canvas of this height, where nobody has moved it since. */
function restored(flow: Flow, back: Back | null, height: number): Back | null {
  if (!back || height < back.height) return back;
  if (same(flow.getViewport(), back.made)) void flow.setViewport(back.view);
  return null;
}

/** Whether all of the graph could be seen in a canvas of this height. */
function wasWhole(flow: Flow, height: number): boolean {
  const { y, zoom } = flow.getViewport();
  const box = flow.getNodesBounds(flow.getNodes());
  return box.y * zoom + y >= 0 && (box.y + box.height) * zoom + y <= height;
}

/** Move the canvas as little as is needed to show these nodes between its panels. */
function bringIn(
  flow: Flow,
  stage: HTMLElement,
  ids: string[],
  { narrow, clicked = false }: { narrow: boolean; clicked?: boolean },
): void {
  const view = flow.getViewport();
  const moved = littleMoved(view, flow.getNodesBounds(ids), between(stage, narrow), clicked);
  if (!same(moved, view)) void flow.setViewport(moved);
}

/** The view in which a box lies in what is free; what was `clicked` moves only out from under what covers it at the sides or below. */
export function littleMoved(view: View, box: Rect, free: Free, clicked: boolean): View {
  if (box.width === 0) return view;
  const { x, y, zoom } = view;
  const dx = shift(box.x * zoom + x, box.width * zoom, free.left, free.right);
  const dy = shift(box.y * zoom + y, box.height * zoom, MARGIN, free.bottom);
  if (clicked)
    return { x: Math.abs(dx) >= LITTLE ? x + dx : x, y: dy <= -LITTLE ? y + dy : y, zoom };
  // to the right lie its ports, from which one draws on
  const isFar = dx < 0 || dx > LITTLE || Math.abs(dy) > LITTLE;
  return isFar ? { x: x + dx, y: y + dy, zoom } : view;
}

/** Show all of these nodes between the panels: the canvas moves, and zooms out where they are too many for it. */
function bringWholeIn(flow: Flow, stage: HTMLElement, ids: string[], narrow: boolean): void {
  const view = flow.getViewport();
  const whole = wholeIn(view, flow.getNodesBounds(ids), between(stage, narrow));
  if (!same(whole, view)) void flow.setViewport(whole);
}

/** The view in which all of a box is seen in what is free: the same where it is, nearer never. */
export function wholeIn(view: View, box: Rect, free: Free): View {
  if (box.width === 0) return view;
  const room = { width: free.right - free.left, height: free.bottom - MARGIN };
  const most = Math.min(room.width / box.width, room.height / box.height);
  const zoom = Math.max(FARTHEST, Math.min(view.zoom, most));
  if (zoom < view.zoom) {
    const spare = { x: room.width - box.width * zoom, y: room.height - box.height * zoom };
    return {
      x: free.left + spare.x / 2 - box.x * zoom,
      y: MARGIN + spare.y / 2 - box.y * zoom,
      zoom,
    };
  }
  const dx = shift(box.x * zoom + view.x, box.width * zoom, free.left, free.right);
  const dy = shift(box.y * zoom + view.y, box.height * zoom, MARGIN, free.bottom);
  return { x: view.x + dx, y: view.y + dy, zoom };
}

/**
 * Where cards are seen: between the panels at its sides, or above the inspector where there is no room beside it.
 * What is selected will have the inspector beside it.
 */
export function between(stage: HTMLElement, narrow: boolean) {
  const { clientWidth: width, clientHeight: height } = stage;
  if (width < 2 * INSPECTOR)
    return { left: MARGIN, right: width - MARGIN, bottom: height * ABOVE_SHEET };
  const outline = stage.dataset['outline'] === 'true' ? OUTLINE : 0;
  return {
    left: outline || paletteIn(stage) || (narrow ? STRIP : PALETTE),
    right: width - (stage.dataset['inspector'] === 'false' ? MARGIN : INSPECTOR),
    bottom: height - FOOT,
  };
}

/** How far the palette reaches into the canvas as it stands now, with some air; nothing where there is none. */
function paletteIn(stage: HTMLElement): number {
  const box = stage.querySelector('[data-region="palette"]')?.getBoundingClientRect();
  return box && box.width > 0 ? box.right - stage.getBoundingClientRect().left + AIR : 0;
}

/** How far a stretch moves to lie between two bounds; its beginning comes first where it is too long. */
function shift(at: number, size: number, from: number, to: number): number {
  if (at >= from && at + size <= to) return 0;
  return at < from || size > to - from ? from - at : to - (at + size);
}

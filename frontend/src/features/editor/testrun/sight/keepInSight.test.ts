// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useEditor } from '../../../../store/editor.ts';
import { loadDraft } from '../../../../store/testing.tsx';
import { between, littleMoved, useKeepInSight, wholeIn } from './useKeepInSight.ts';

const flow = vi.hoisted(() => ({
  view: { x: 0, y: 0, zoom: 1 },
  box: { x: 300, y: 400, width: 206, height: 100 },
  getViewport: () => flow.view,
  setViewport: (view: typeof flow.view) => Promise.resolve((flow.view = view)),
  getNodesBounds: () => flow.box,
}));
vi.mock('@xyflow/react', async (whole) => ({
  ...(await whole<object>()),
  useReactFlow: () => flow,
}));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function stage(width: number, outline: boolean): HTMLElement {
  const element = document.createElement('div');
  element.dataset['outline'] = String(outline);
  Object.defineProperties(element, {
    clientWidth: { value: width },
    clientHeight: { value: 700 },
  });
  return element;
}

test('cards are seen between the panels, and on a phone above the inspector', () => {
  expect(between(stage(1228, false), true)).toEqual({ left: 76, right: 884, bottom: 628 });
  expect(between(stage(1228, true), true).left).toBe(400);
  const open = stage(1228, false);
  const palette = document.createElement('div');
  palette.dataset['region'] = 'palette';
  palette.getBoundingClientRect = () => new DOMRect(12, 12, 208, 640);
  open.append(palette);
  expect(between(open, true).left).toBe(238);
  const alone = stage(1228, false);
  alone.dataset['inspector'] = 'false';
  expect(between(alone, true).right).toBe(1204);
  const phone = between(stage(390, true), true);
  expect(phone).toEqual({ left: 24, right: 366, bottom: 294 });
});

test('a paste is seen whole beside the panels: the canvas moves, and zooms out only where it must', () => {
  const free = { left: 76, right: 884, bottom: 628 };
  const view = { x: 0, y: 0, zoom: 1 };
  const box = { x: 700, y: 500, width: 400, height: 200 };
  expect(wholeIn(view, { ...box, x: 100, y: 100 }, free)).toEqual(view);
  expect(wholeIn(view, box, free)).toEqual({ x: -216, y: -72, zoom: 1 });

  const many = { x: 600, y: 300, width: 1616, height: 400 };
  const whole = wholeIn(view, many, free);
  expect(whole.zoom).toBe(0.5);
  expect(many.x * 0.5 + whole.x).toBe(76);
  expect(many.y * 0.5 + whole.y).toBeGreaterThan(24);
  expect((many.y + many.height) * 0.5 + whole.y).toBeLessThan(628);
  expect(wholeIn({ ...view, zoom: 0.2 }, many, free).zoom).toBe(0.2);
});

test('what is clicked moves only out from under what covers it at the sides or below', () => {
  const free = { left: 76, right: 884, bottom: 348 };
  const view = { x: 0, y: 0, zoom: 1 };
  const box = { x: 300, y: 200, width: 206, height: 106 };
  const moved = (at: Partial<typeof box>, clicked = true) =>
    littleMoved(view, { ...box, ...at }, free, clicked);

  expect(moved({})).toEqual(view);
  expect(moved({ x: 60, y: 0 })).toEqual(view);
  expect(moved({ x: 10, y: 0 })).toEqual({ x: 66, y: 0, zoom: 1 });
  expect(moved({ y: 398 })).toEqual({ x: 0, y: -156, zoom: 1 });
  expect(moved({ x: 800 })).toEqual({ x: -122, y: 0, zoom: 1 });
  expect(moved({ x: 10, y: 0 }, false)).toEqual({ x: 66, y: 24, zoom: 1 });
});

/** The card of a step as the canvas measured it. */
function measure(height: number): void {
  flow.box = { ...flow.box, height };
  act(() =>
    useEditor.setState(({ nodes }) => ({
      nodes: nodes.map((node) => ({ ...node, measured: { width: 206, height } })),
    })),
  );
}

test.each([1, 2])('a card that grows %i times before it is drawn comes in sight', (times) => {
  const frames: FrameRequestCallback[] = [];
  const draw = () => act(() => frames.splice(0).forEach((frame) => frame(0)));
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (n: number) => (frames[n - 1] = () => {}));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  loadDraft();
  measure(100);
  useEditor.getState().select(['b']);
  const ref = { current: stage(1228, false) };
  renderHook(() => useKeepInSight(ref, true, null));
  draw();
  draw();
  flow.view = { x: 0, y: 100, zoom: 1 };

  for (let n = 1; n <= times; n++) measure(100 + 60 * n);
  draw();
  draw();

  expect(flow.view.y + flow.box.y + flow.box.height).toBeLessThanOrEqual(628);
});

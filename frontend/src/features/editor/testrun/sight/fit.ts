/** Where the drawing is to be seen: between the panels that lie over the canvas now. */

import { editorFit } from '../../../../canvas/CanvasFrame.tsx';

export const OUTLINE = 400;
/** Room that the inspector takes on the right, with its margin. */
export const INSPECTOR = 344;
/** What the inspector leaves free of the height of a phone. */
export const ABOVE_SHEET = 0.42;
/** Below this height of the canvas its margins are small. */
const LOW = 480;
/** Cards are read down to here: what is done unasked goes no further. */
export const READABLE = 0.4;

const GAP = 28;
/** So much of the canvas is always used, whatever lies over it. */
const LEAST = 0.3;
const PANELS = '[data-region]:not([data-region="canvas"])';

type Sides = Record<'left' | 'right' | 'top' | 'bottom', number>;

const NOTHING: Sides = { left: 0, right: 0, top: 0, bottom: 0 };

/** How far panels reach in from the sides of the canvas: from the left or right, or from above or below where they are as wide as it. */
function covered(stage: Element): Sides {
  const frame = stage.getBoundingClientRect();
  const sides: Sides = { ...NOTHING };
  const reach = (side: keyof Sides, by: number) => (sides[side] = Math.max(sides[side], by));
  for (const panel of stage.querySelectorAll(PANELS)) {
    const box = panel.getBoundingClientRect();
    if (box.width === 0) continue;
    const wide = box.width > frame.width * (1 - LEAST);
    if (wide && box.top - frame.top > frame.bottom - box.bottom)
      reach('bottom', frame.bottom - box.top);
    else if (wide) reach('top', box.bottom - frame.top);
    else if (box.left - frame.left < frame.right - box.right) reach('left', box.right - frame.left);
    else reach('right', frame.right - box.left);
  }
  return sides;
}

/** How everything is fitted into what is free of the canvas now. */
export function freeRoom(
  stage: HTMLElement | null = document.querySelector<HTMLElement>('[data-outline]'),
) {
  const low = (stage?.clientHeight ?? LOW) < LOW;
  const least = {
    left: 40,
    right: 48,
    ...(low ? { top: 24, bottom: 72 } : { top: 48, bottom: 112 }),
  };
  const taken = stage ? covered(stage) : NOTHING;
  const most = (1 - LEAST) * (stage?.clientWidth ?? Infinity);
  const high = (1 - LEAST) * (stage?.clientHeight ?? Infinity);
  const fits = {
    across: taken.left + taken.right < most,
    down: taken.top + taken.bottom < high,
  };
  const room = (side: keyof Sides, fit: boolean) =>
    fit && taken[side] > 0 ? Math.max(taken[side] + GAP, least[side]) : least[side];
  const left = room('left', fits.across);
  const right = room('right', fits.across);
  const beside = stage?.querySelector<HTMLElement>('[data-share]')?.dataset['share'] ?? 0;
  const free = Math.max(0, (stage?.clientWidth ?? 0) - left - right);
  return {
    ...editorFit,
    padding: {
      left: px(left + free * Number(beside)),
      right: px(right),
      top: px(room('top', fits.down)),
      bottom: px(room('bottom', fits.down)),
    },
  };
}

const px = (size: number) => `${Math.round(size)}px` as const;

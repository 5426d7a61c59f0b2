/** Where the drawing is to be seen: between palette or outline, bar and docked panel. */

import { editorFit } from '../../../canvas/CanvasFrame.tsx';

export const OUTLINE = 400;
/** Room that the inspector takes on the right, with its margin. */
export const INSPECTOR = 344;
/** Below this height of the canvas its margins are small. */
const LOW = 480;
/** Cards are read down to here: what is done unasked goes no further. */
export const READABLE = 0.5;

/** How everything is fitted into what is free of the canvas now. */
export function freeRoom(
  stage: HTMLElement | null = document.querySelector<HTMLElement>('[data-outline]'),
) {
  const low = (stage?.clientHeight ?? LOW) < LOW;
  const { padding } = editorFit;
  return {
    ...editorFit,
    padding: {
      ...padding,
      ...(stage?.dataset['outline'] === 'true' ? { left: `${OUTLINE}px` as const } : {}),
      ...(stage?.dataset['inspector'] === 'true' ? { right: `${INSPECTOR}px` as const } : {}),
      ...(low ? ({ top: '24px', bottom: '72px' } as const) : {}),
    },
  };
}

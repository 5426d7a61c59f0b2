import { useRegistry } from '../../../../actions/registry.ts';

let leaving = false;

/** Whether Tab goes on to the next control: after Escape, and where single keys are switched off. */
export const leavesByTab = (): boolean => leaving || !useRegistry.getState().singleKeys;

const waiting = new Set(['Tab', 'Shift', 'Escape']);

/** Let the next Tab leave the canvas, until another key or the pointer says that one stays. */
export function beginLeaving(): void {
  if (leaving) return;
  leaving = true;
  const stay = (event: Event) => {
    if (event instanceof KeyboardEvent && waiting.has(event.key)) return;
    leaving = false;
    window.removeEventListener('keydown', stay, true);
    window.removeEventListener('pointerdown', stay, true);
  };
  window.addEventListener('keydown', stay, true);
  window.addEventListener('pointerdown', stay, true);
}

import { type RefObject, useEffect } from 'react';
import { useConductor } from '../conductor.ts';

const TICK_MS = 500;
/** So long all of a short item on screen is as good as scrolling a long one. */
const READ_MS = 3000;

const isWhole = ({ clientHeight, scrollHeight }: HTMLElement): boolean =>
  clientHeight > 0 && scrollHeight <= clientHeight + 1 && document.visibilityState === 'visible';

/**
 * Note when somebody scrolls an item, opens something of it, or has all of it before them for a
 * while; its verbs stand outside `content`.
 */
export function useOpened(content: RefObject<HTMLElement | null>, id: string): void {
  const looks = useConductor()?.looks;
  useEffect(() => {
    const shown = content.current;
    if (shown === null || looks === undefined) return undefined;
    const note = () => looks.opened(id);
    const names = ['scroll', 'click'] as const;
    for (const name of names) shown.addEventListener(name, note, { capture: true, passive: true });
    let whole = 0;
    const tick = window.setInterval(() => {
      whole = isWhole(shown) ? whole + TICK_MS : 0;
      if (whole < READ_MS) return;
      note();
      window.clearInterval(tick);
    }, TICK_MS);
    return () => {
      window.clearInterval(tick);
      for (const name of names) shown.removeEventListener(name, note, { capture: true });
    };
  }, [content, looks, id]);
}

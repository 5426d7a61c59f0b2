import { type RefObject, useEffect } from 'react';
import { useConductor } from '../conductor.ts';

/** Note when somebody scrolls an item or opens something of it; its verbs stand outside `content`. */
export function useOpened(content: RefObject<HTMLElement | null>, id: string): void {
  const looks = useConductor()?.looks;
  useEffect(() => {
    const shown = content.current;
    if (shown === null || looks === undefined) return undefined;
    const note = () => looks.opened(id);
    const names = ['scroll', 'click'] as const;
    for (const name of names) shown.addEventListener(name, note, { capture: true, passive: true });
    return () => {
      for (const name of names) shown.removeEventListener(name, note, { capture: true });
    };
  }, [content, looks, id]);
}

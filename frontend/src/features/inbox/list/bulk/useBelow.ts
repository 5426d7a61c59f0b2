import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** How many rows of a table in its own scrolling box are below what is in sight, and the way to them. */
export interface Below {
  box: RefObject<HTMLDivElement | null>;
  below: number;
  more: () => void;
}

/** Watch a box with a table of `rows` rows. A row counts as seen once its middle is. */
export function useBelow(rows: number): Below {
  const box = useRef<HTMLDivElement>(null);
  const [below, setBelow] = useState(0);
  useEffect(() => {
    const shown = box.current;
    if (!shown) return;
    const count = () => setBelow(belowIn(shown));
    count();
    const sizes = new ResizeObserver(count);
    sizes.observe(shown);
    for (const table of shown.children) sizes.observe(table);
    shown.addEventListener('scroll', count, { passive: true });
    return () => {
      sizes.disconnect();
      shown.removeEventListener('scroll', count);
    };
  }, [rows]);
  const more = useCallback(() => {
    const shown = box.current;
    shown?.scrollBy({ top: shown.clientHeight / 2 });
  }, []);
  return { box, below, more };
}

/** Rows whose middle is below the sight of a box; its sums stand over the last of what is in sight. */
export function belowIn(box: HTMLElement): number {
  const sums = box.querySelector('tfoot')?.getBoundingClientRect().height ?? 0;
  const bottom = box.getBoundingClientRect().top + box.clientHeight - sums;
  return [...box.querySelectorAll('tbody > tr')].filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 > bottom;
  }).length;
}

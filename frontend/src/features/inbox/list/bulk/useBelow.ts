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
    const around = shown.parentElement;
    if (around) sizes.observe(around);
    const moving = [shown, around];
    for (const each of moving) each?.addEventListener('scroll', count, { passive: true });
    return () => {
      sizes.disconnect();
      for (const each of moving) each?.removeEventListener('scroll', count);
    };
  }, [rows]);
  const more = useCallback(() => {
    const shown = box.current;
    if (!shown) return;
    const { parentElement: around } = shown;
    const hidden = around ? shown.getBoundingClientRect().bottom - bottomOf(around) : 0;
    // first all of the box, then what is in it
    if (around && hidden > 1) around.scrollBy({ top: hidden });
    else shown.scrollBy({ top: shown.clientHeight / 2 });
  }, []);
  return { box, below, more };
}

const bottomOf = (box: HTMLElement): number => box.getBoundingClientRect().top + box.clientHeight;

/** Rows whose middle is below the sight of a box; its sums stand over the last of what is in sight.
 *  The box may itself end below the sight of what is around it. */
export function belowIn(box: HTMLElement): number {
  const sums = box.querySelector('tfoot')?.getBoundingClientRect().height ?? 0;
  const { parentElement: around } = box;
  const bottom = Math.min(bottomOf(box) - sums, around ? bottomOf(around) : Infinity);
  return [...box.querySelectorAll('tbody > tr')].filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 > bottom;
  }).length;
}

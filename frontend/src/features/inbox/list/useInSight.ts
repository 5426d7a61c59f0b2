import { useEffect } from 'react';

/** Whether a row is in sight in a list of some height, wholly. */
function isWithin(row: Element, list: Element, height: number): boolean {
  const { top } = list.getBoundingClientRect();
  const { top: from, bottom: to } = row.getBoundingClientRect();
  return from >= top - 1 && to <= top + height + 1;
}

/**
 * The row of the open item is in sight, and the focus goes with it where it was on a row.
 *
 * It stays so when a bar below takes some of the list's height; one that was scrolled away stays away.
 */
export function useInSight(cursor: string | null, isListed: boolean): void {
  useEffect(() => {
    const row = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(cursor ?? '')}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement?.matches('[data-item]')) row?.focus({ preventScroll: true });
    const list = row?.closest('ul');
    if (!row || !list) return undefined;
    let height = list.clientHeight;
    const watcher = new ResizeObserver(() => {
      const before = height;
      height = list.clientHeight;
      if (height < before && isWithin(row, list, before)) row.scrollIntoView({ block: 'nearest' });
    });
    watcher.observe(list);
    return () => watcher.disconnect();
  }, [cursor, isListed]);
}

import type { Interrupt } from '../api/types.ts';

/**
 * Go to the item so many steps from the one at `at`; where the list ends, nowhere. Past the last one
 * that is loaded, `more` is asked for the list with its next page.
 */
export function moveBy(step: number, { items, at, more, go }: { items: readonly Interrupt[]; at: number; more: () => Promise<readonly Interrupt[]>; go: (item: Interrupt) => void }): void {
  const wanted = Math.max(0, at + step);
  const here = items[wanted];
  if (here) {
    go(here);
    return;
  }
  void more().then((longer) => {
    const next = longer[wanted];
    if (next) go(next);
  });
}

import type { Interrupt } from '../../../api/types/types.ts';
import { type Cursor, cursorAt, stepFrom } from './selection.ts';

/** Where the reader is, kept between two drawings: presses may come faster than the page is drawn. */
export interface Place {
  current: Cursor;
}

const idsOf = (items: readonly Interrupt[]) => items.map((item) => item.request_id);

function step(
  to: 1 | -1,
  items: readonly Interrupt[],
  place: Place,
  go: (item: Interrupt) => void,
): boolean {
  const ids = idsOf(items);
  const next = stepFrom(place.current, ids, to);
  const item = items.find((each) => each.request_id === next);
  if (!item || next === place.current.id) return false;
  place.current = cursorAt(next, ids, place.current);
  go(item);
  return true;
}

/**
 * Go to the next item (1) or the one before (-1); where the list ends, nowhere. Past the last one
 * that is loaded, `more` is asked for the list with its next page.
 */
export function moveBy(
  to: 1 | -1,
  {
    items,
    place,
    more,
    go,
  }: {
    items: readonly Interrupt[];
    place: Place;
    more: () => Promise<readonly Interrupt[]>;
    go: (item: Interrupt) => void;
  },
): void {
  if (step(to, items, place, go) || to === -1) return;
  void more().then((longer) => step(to, longer, place, go));
}

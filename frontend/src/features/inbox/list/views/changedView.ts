import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InterruptFilter } from '../../../../api/http/lists.ts';
import { isShown, isUsual, type SavedView, savedViewsQuery } from './viewQueries.ts';

/**
 * One's own view that one came from, where the list shows something else by now; `leave` says that
 * one turned to another list.
 */
export function useChangedView(filter: InterruptFilter): {
  changed: SavedView | undefined;
  leave: () => void;
} {
  const { data: views = [] } = useQuery(savedViewsQuery);
  const [from, setFrom] = useState<string | null>(null);
  const shown = views.find((view) => isShown(view, filter))?.id;
  const now = shown ?? (isUsual(filter) ? null : from);
  if (now !== from) setFrom(now);
  const changed = shown ? undefined : views.find((view) => view.mine && view.id === now);
  return { changed, leave: () => setFrom(null) };
}

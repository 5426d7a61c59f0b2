import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { unreadQuery } from '../../../api/http/workspace/mentions.ts';
import { useBell } from '../../../api/live/useBell.ts';
import type { Mention } from '../../../api/types/types.ts';

/** Call `tell` with what was said to the person since the page was opened, and is not on screen. */
export function useHerald(tell: (fresh: readonly Mention[]) => void): void {
  useBell('mentions', 'mentions');
  const { data } = useQuery(unreadQuery);
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...data.map(({ id }) => id)]);
    const fresh = before ? data.filter(({ id, thread }) => !before.has(id) && !isRead(thread)) : [];
    if (fresh.length > 0) tell(fresh);
  }, [data, tell]);
}

/** Whether a thread lies unfolded on the page that the person looks at. */
const isRead = (thread: string): boolean =>
  !document.hidden &&
  document.querySelector(`[data-field="comments.${CSS.escape(thread)}"]`) !== null;

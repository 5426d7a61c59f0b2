import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { unreadQuery } from '../../../api/http/workspace/mentions.ts';
import { useBell } from '../../../api/live/useBell.ts';
import type { Mention } from '../../../api/types/types.ts';

/**
 * Call `tell` with what was said to the person since the page was opened, and is not on screen, and
 * `done` with the ids of what was read since.
 */
export function useHerald(
  tell: (fresh: readonly Mention[]) => void,
  done: (ids: readonly string[]) => void,
): void {
  useBell('mentions', 'mentions');
  const { data } = useQuery(unreadQuery);
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    const now = new Set(data.map(({ id }) => id));
    known.current = new Set([...(before ?? []), ...now]);
    done([...(before ?? [])].filter((id) => !now.has(id)));
    const fresh = before ? data.filter(({ id, thread }) => !before.has(id) && !isRead(thread)) : [];
    if (fresh.length > 0) tell(fresh);
  }, [data, tell, done]);
}

/** Whether a thread lies unfolded on the page that the person looks at. */
const isRead = (thread: string): boolean =>
  !document.hidden &&
  document.querySelector(`[data-field="comments.${CSS.escape(thread)}"]`) !== null;

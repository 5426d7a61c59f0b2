import { useQuery } from '@tanstack/react-query';
import { unreadQuery } from '../../../api/http/workspace/mentions.ts';
import { useBell } from '../../../api/live/useBell.ts';
import type { Mention } from '../../../api/types/types.ts';
import { useFresh } from './useFresh.ts';

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
  useFresh(data, isUnread, tell, done);
}

/** Whether neither its thread lies unfolded nor its item open on the page that the person looks at. */
const isUnread = ({ thread, item }: Mention): boolean => {
  const at =
    thread === null
      ? `[data-request="${CSS.escape(item ?? '')}"]`
      : `[data-field="comments.${CSS.escape(thread)}"]`;
  return document.hidden || document.querySelector(at) === null;
};

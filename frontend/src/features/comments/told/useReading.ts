import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readMentions, unreadQuery } from '../../../api/http/workspace/mentions.ts';

/** What is said to the person in a thread is read as soon as it lies open before them. */
export function useReading(threadId: string, shown: boolean): void {
  const { data } = useQuery(unreadQuery);
  const newest = data?.find(({ thread }) => thread === threadId)?.id;
  useEffect(() => {
    if (!shown || newest === undefined) return undefined;
    const read = () => {
      if (!document.hidden) void readMentions(threadId).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [threadId, shown, newest]);
}

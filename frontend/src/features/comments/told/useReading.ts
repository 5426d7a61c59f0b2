import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Read, readMentions, unreadQuery } from '../../../api/http/workspace/mentions.ts';

/** What is said to the person in a thread or at an item is read as soon as it lies open before them. */
export function useReading({ thread, item }: Read, shown: boolean): void {
  const { data } = useQuery(unreadQuery);
  const isThere = (one: { thread: string | null; item: string | null }) =>
    thread === undefined ? one.item === item : one.thread === thread;
  const newest = data?.find(isThere)?.id;
  useEffect(() => {
    if (!shown || newest === undefined) return undefined;
    const what = thread === undefined ? { item } : { thread };
    const read = () => {
      if (!document.hidden) void readMentions(what).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [thread, item, shown, newest]);
}

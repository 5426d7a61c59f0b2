import { create } from 'zustand';

/** What was said last to those who listen; `count` tells the same words said twice apart. */
export const useAnnounced = create<{ words: string; count: number }>(() => ({
  words: '',
  count: 0,
}));

/** Say something aloud: screen readers read it as soon as they are done with what they read. */
export function announce(words: string): void {
  if (words) useAnnounced.setState(({ count }) => ({ words, count: count + 1 }));
}

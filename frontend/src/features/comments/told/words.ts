import type { Mention } from '../../../api/types/types.ts';

/** `Ada named you in Hiring`, `Ada answered in Hiring`. */
export const saidTo = ({ by, named, graph }: Mention): string =>
  `${by?.name ?? 'Someone who left'} ${named ? 'named you' : 'answered'} in ${graph.name}`;

/** Where one reads it: the thread, unfolded at its card. */
export const threadPath = (graphId: string, threadId: string): string =>
  `/workflows/${graphId}?thread=${threadId}`;

export const commentsWord = (count: number): string =>
  count === 1 ? '1 comment' : `${count} comments`;

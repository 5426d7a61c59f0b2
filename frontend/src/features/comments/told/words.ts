import type { Mention } from '../../../api/types/types.ts';

/** Where words about an item of the inbox stand. */
const AT_ITEM = { question: 'a question', answer: 'an answer', comment: 'a comment' };

/** `Ada named you in Hiring`, `Ada answered in Hiring`, `Ada named you in a question before a decision in Hiring`. */
export function saidTo({ kind, by, named, graph }: Mention): string {
  const who = by?.name ?? 'Someone who left';
  const where = graph ? ` in ${graph.name}` : '';
  if (kind === 'card') return `${who} ${named ? 'named you' : 'answered'}${where}`;
  return `${who} named you in ${AT_ITEM[kind]} before a decision${where}`;
}

/** Where one reads it: the item of the inbox, or the thread, unfolded at its card. */
export const placeOf = ({ item, graph, thread }: Mention): string =>
  item === null ? threadPath(graph?.id ?? '', thread ?? '') : `/inbox/${item}`;

export const threadPath = (graphId: string, threadId: string): string =>
  `/workflows/${graphId}?thread=${threadId}`;

export const commentsWord = (count: number): string =>
  count === 1 ? '1 comment' : `${count} comments`;

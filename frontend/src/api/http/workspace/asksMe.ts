/** What somebody asks the person at the page before they decide. */

import { queryOptions } from '@tanstack/react-query';
import type { Interrupt, Page } from '../../types/types.ts';
import { api } from '../client.ts';

/** One question back that waits for the person's answer. */
export interface AskOfMe {
  /** Of the question: an item may be asked about again. */
  id: string;
  item: string;
  by: string;
  question: string;
}

const MOST = 50;

/** The open questions to the person, the newest item first; the newest only where they are very many. */
export const asksMeQuery = queryOptions({
  queryKey: ['interrupts', 'asks-me'],
  queryFn: async () => {
    const query = { view: 'asks-me', limit: MOST };
    return asksOf((await api.get<Page<Interrupt>>('interrupts/', query)).results);
  },
});

/** The questions to the person among what was asked back about items. */
export const asksOf = (items: readonly Pick<Interrupt, 'request_id' | 'asked_back'>[]): AskOfMe[] =>
  items.flatMap(({ request_id: item, asked_back: asked }) =>
    asked
      .filter((one) => one.asks_me)
      .map(({ by, question, asked_at: at }) => ({
        id: `${item}:${at}`,
        item,
        by: typeof by === 'string' ? 'Somebody who left' : by.name,
        question,
      })),
  );

import type { AskOfMe } from '../../../../api/http/workspace/asksMe.ts';

/** `Rita asks you before they decide`. */
export const askedBy = ({ by }: Pick<AskOfMe, 'by'>): string => `${by} asks you before they decide`;

/** Where one answers: the item, or all that ask the person. */
export const asksPath = (asks: readonly AskOfMe[]): string =>
  asks.length === 1 ? `/inbox/${asks[0]?.item}` : '/inbox?view=asks-me';

/** How many there are: `2 questions wait for your answer`. */
export const asksWord = (asks: readonly AskOfMe[]): string =>
  `${asks.length} questions wait for your answer`;

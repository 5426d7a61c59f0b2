import type { ModelPrice } from '../../../../api/http/workspace/models.ts';

export type Force = 'now' | 'later' | 'past';

/** Whether a price holds on a day: of one pattern the line that began last does. */
export function forceOf(price: ModelPrice, prices: readonly ModelPrice[], today: string): Force {
  if (price.from_date > today) return 'later';
  const isReplaced = prices.some(
    (other) =>
      other.provider === price.provider &&
      other.pattern === price.pattern &&
      other.from_date <= today &&
      other.from_date > price.from_date,
  );
  return isReplaced ? 'past' : 'now';
}

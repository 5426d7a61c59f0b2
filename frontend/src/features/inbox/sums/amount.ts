/** What an item is about, as a sum that its row shows whole. */

import type { Interrupt } from '../../../api/types/types.ts';
import { isObject } from '../../../run/values/json.ts';
import { formatted, isSum, plainSum, sumText } from '../decide/fields/fieldLook.ts';
import { withCurrencies } from './currencies.ts';

/** How much of a title is in sight in the narrowest list, in characters. */
const IN_SIGHT = 44;

/** The sum of an item where the beginning of its title does not tell it; null where there is none. */
export function amountBeside(
  item: Pick<Interrupt, 'amount' | 'request' | 'currencies'>,
  title: string,
): string | null {
  const { amount, request } = item;
  if (amount === null || amount === undefined || !isObject(request.data)) return null;
  const schemas = withCurrencies(item).edit_schema?.properties;
  const name = Object.entries(request.data).find(
    ([key, value]) =>
      value === amount && (isSum(key, schemas?.[key]) || formatted(value, schemas?.[key]) !== null),
  )?.[0];
  if (name === undefined) return null;
  return tells(title, plainSum(amount, schemas?.[name])) ? null : sumText(amount, schemas?.[name]);
}

/** Whether a title begins with words among which the sum stands by itself. */
function tells(title: string, sum: string): boolean {
  const at = title.indexOf(sum);
  const end = at + sum.length;
  if (at < 0 || end > IN_SIGHT) return false;
  return !/[\d.,]/.test(title.charAt(at - 1)) && !/^[.,]?\d/.test(title.slice(end, end + 2));
}

/** What an item is about, as a sum that its row shows whole. */

import type { Interrupt, JsonSchema } from '../../../api/types/types.ts';
import { isObject } from '../../../run/values/json.ts';
import { formatted, isSum, plainSum, sumText } from '../decide/fields/fieldLook.ts';
import { EXACT, sumOf } from '../list/bulk/bulk.ts';
import { withCurrencies } from './currencies.ts';

/** How much of a title is in sight in the narrowest list, in characters. */
const IN_SIGHT = 44;

interface AmountField {
  name: string;
  schema: JsonSchema | undefined;
}

type Summed = Pick<Interrupt, 'amount' | 'request' | 'currencies'>;

/** The field of an item that says what it is about; null where there is none. */
function amountField(item: Summed): AmountField | null {
  const { amount, request } = item;
  if (amount === null || amount === undefined || !isObject(request.data)) return null;
  const schemas = withCurrencies(item).edit_schema?.properties;
  const name = Object.entries(request.data).find(
    ([key, value]) =>
      value === amount && (isSum(key, schemas?.[key]) || formatted(value, schemas?.[key]) !== null),
  )?.[0];
  return name === undefined ? null : { name, schema: schemas?.[name] };
}

/** What the amounts of items come to; null unless all name it alike, in one currency. */
export function sumOfAmounts(items: readonly Summed[]): string | null {
  const fields = items.map(amountField);
  const [first] = fields;
  const isAlike = (field: AmountField | null) =>
    field?.name === first?.name && field?.schema?.['x-unit'] === first?.schema?.['x-unit'];
  if (!first || !fields.every(isAlike)) return null;
  const sum = sumOf(items.map((item) => item.amount ?? null));
  return sum === null || sum.length > EXACT ? sum : sumText(sum, first.schema);
}

/** The sum of an item where the beginning of its title does not tell it; null where there is none. */
export function amountBeside(item: Summed, title: string): string | null {
  const amount = item.amount ?? 0;
  const field = amountField(item);
  if (field === null) return null;
  return tells(title, plainSum(amount, field.schema)) ? null : sumText(amount, field.schema);
}

/** Whether a title begins with words among which the sum stands by itself. */
function tells(title: string, sum: string): boolean {
  const at = title.indexOf(sum);
  const end = at + sum.length;
  if (at < 0 || end > IN_SIGHT) return false;
  return !/[\d.,]/.test(title.charAt(at - 1)) && !/^[.,]?\d/.test(title.slice(end, end + 2));
}

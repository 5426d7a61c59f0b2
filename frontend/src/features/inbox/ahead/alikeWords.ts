/** How a step was decided lately, in words. */

import type { Interrupt, JsonSchema } from '../../../api/types/types.ts';
import { isObject } from '../../../run/values/json.ts';
import type { Alike } from './queries.ts';

type Money = (value: number) => string;

/** Of fewer decisions nothing is typical. */
const ENOUGH = 5;

/** `41 of the last 44 approved, typically $81.` */
export function summaryText({ count, approved, median }: Alike, money: Money): string {
  const share = count === 1 ? (approved ? 'The last was approved' : 'The last was rejected') : '';
  const said = share || `${approved} of the last ${count} approved`;
  return median === null || count < ENOUGH ? `${said}.` : `${said}, typically ${money(median)}.`;
}

/** How the item's sum compares with the last that was approved; empty without both. */
export function differenceText({ amount, last_approved: last }: Alike, money: Money): string {
  if (amount === null || last === null) return '';
  if (amount === last) return 'This is the same as the last approved.';
  const size = money(Math.abs(amount - last));
  const percent = last > 0 ? Math.round((Math.abs(amount - last) / last) * 100) : 0;
  const share = percent > 0 && percent < 1000 ? ` (${percent} %)` : '';
  return `This is ${size}${share} ${amount > last ? 'more' : 'less'} than the last approved, ${money(last)}.`;
}

/** What the workflow says of the field that holds the item's sum. */
export function amountSchema(
  { amount, request: { data } }: Interrupt,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema | undefined {
  const name = amountField({ amount, data });
  return name === null ? undefined : schemas[name];
}

/** The field that holds the item's sum, null where none does. */
export function amountField({
  amount,
  data,
}: {
  amount: number | null;
  data: unknown;
}): string | null {
  if (amount === null || !isObject(data as never)) return null;
  const entries = Object.entries(data as Record<string, unknown>);
  return entries.find(([, value]) => value !== '' && Number(value) === amount)?.[0] ?? null;
}

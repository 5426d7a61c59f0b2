import type { InterruptRequest, Json } from '../../../api/types/types.ts';
import { isObject } from '../../../run/values/json.ts';
import { inexact } from '../../../run/values/typedNumber.ts';
import { visible } from '../../../run/values/visible.ts';
import { formatted, isSum, numberText, plainSum } from '../decide/fields/fieldLook.ts';

const NUMBER = /\d+(?:\.\d+)?/g;
const INSIDE_BEFORE = /[\w.,+-]$/;
const INSIDE_AFTER = /^(?:[A-Za-z_]|[.,]\d|\s?%)/;
const UNIT_BEFORE = /(?:[€$£¥]|\b[A-Z]{3}) ?$/;
const UNIT_AFTER = /^ ?(?:[€$£¥]|[A-Z]{3}\b)/;
/** Characters around a number that are looked at. */
const NEAR = 5;

/** The sums that an item shows, by what they are, as they are read. */
function sumsOf({ data, edit_schema: schema }: InterruptRequest): Map<number, string> {
  const found = new Map<number, string>();
  if (!isObject(data)) return found;
  for (const [name, value] of Object.entries(data)) {
    const field = schema?.properties?.[name];
    if (typeof value !== 'number' || inexact(value) !== null) continue;
    if (isSum(name, field) || formatted(value, field) !== null)
      found.set(value, plainSum(value, field));
  }
  return found;
}

/** Arguments as they are read: their sums as the item shows them. What is sent stays as it is. */
export function argumentsText(value: Json, { edit_schema: schema }: InterruptRequest): Json {
  if (!isObject(value)) return value;
  const told = Object.entries(value).map(([name, each]): [string, Json] => {
    const field = schema?.properties?.[name];
    return [name, typeof each === 'number' ? (numberText(name, each, field) ?? each) : each];
  });
  return Object.fromEntries(told);
}

/**
 * A message with the sums of its item spelled as the item shows them: `12.5 EUR` is `12.50 EUR`.
 *
 * What was recorded, and what is sent, keeps the number as it is. One without decimals is a sum only
 * beside a currency. What would reorder it is shown.
 */
export function withSums(written: string, request: InterruptRequest): string {
  const text = visible(written);
  const sums = sumsOf(request);
  if (sums.size === 0) return text;
  return text.replace(NUMBER, (token: string, at: number) => {
    const before = text.slice(Math.max(0, at - NEAR), at);
    const after = text.slice(at + token.length, at + token.length + NEAR);
    const said = sums.get(Number(token));
    if (said === undefined || INSIDE_BEFORE.test(before) || INSIDE_AFTER.test(after)) return token;
    const isTold = token.includes('.') || UNIT_BEFORE.test(before) || UNIT_AFTER.test(after);
    return isTold ? said : token;
  });
}

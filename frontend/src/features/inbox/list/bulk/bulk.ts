/** Deciding several items at once: which may be picked, and what their table shows. */

import type { Interrupt, Json, JsonSchema } from '../../../../api/types/types.ts';
import { addDecimal } from '../../../../run/values/decimal.ts';
import { isObject, sameJson } from '../../../../run/values/json.ts';
import { reasonsOf } from '../../decide/answer.ts';
import { labelAmong } from '../../decide/fields/fieldLook.ts';
import { isEdited } from '../../rhythm/drafts.ts';

/** `3 items`, as people say it. */
export const counted = (count: number): string => `${count} ${count === 1 ? 'item' : 'items'}`;

/** Whether an item can be picked: it waits, and for this person. */
export const isPickable = (item: Interrupt): boolean =>
  item.status === 'open' && item.can_decide && item.my_decision === null;

/** Whether an item may be decided with others: not where its policy asks one to confirm it, nor
 * approved without what this person has edited of it. */
export const isForMany = (item: Interrupt, verb: 'approve' | 'reject'): boolean =>
  item.kind === 'approval' &&
  (verb === 'reject' || ((item.request.policy?.confirm ?? 'never') === 'never' && !isEdited(item)));

/** More than one request takes. */
export const MOST = 500;

/** Items that stay out of a decision, by why they do. */
export interface LeftOut {
  why: string;
  items: readonly Interrupt[];
}

function whyOut(item: Interrupt, isMore: boolean): string {
  if (item.kind === 'budget') return 'about a budget: decide on the sum there';
  if (item.kind === 'in_doubt') return 'about a call in doubt: say there whether it happened';
  if (item.kind !== 'approval') return 'a question: it needs an answer of its own';
  if (isEdited(item)) return 'edited by you: approve it by itself, with your edits';
  return isMore
    ? `more than can be decided at once, which is ${MOST}`
    : 'approved only one by one, as its workflow says';
}

/** Which of the picked items are decided together, and which stay out and why. */
export function sorted(
  items: readonly Interrupt[],
  verb: 'approve' | 'reject',
): { decided: Interrupt[]; out: LeftOut[] } {
  const fitting = items.filter((item) => isForMany(item, verb));
  const decided = fitting.slice(0, MOST);
  const more = new Set(fitting.slice(MOST));
  const out = new Map<string, Interrupt[]>();
  for (const item of items) {
    if (isForMany(item, verb) && !more.has(item)) continue;
    const why = whyOut(item, more.has(item));
    out.set(why, [...(out.get(why) ?? []), item]);
  }
  return { decided, out: [...out].map(([why, left]) => ({ why, items: left })) };
}

/** Ready-made reasons to reject that every one of the items offers. */
export function commonReasons(items: readonly Interrupt[]): string[] {
  const [first, ...others] = items.map(reasonsOf);
  return (first ?? []).filter((reason) => others.every((offered) => offered.includes(reason)));
}

/** When the last of items ends; null where one of them has no deadline. */
export function lastDeadline(items: readonly Interrupt[]): string | null {
  const ends = items.map((item) => item.expires_at);
  return ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null);
}

/** Why nothing of what is picked can be decided together, in a line; null where something can. */
export function whyNotMany(items: readonly Interrupt[], verb: 'approve' | 'reject'): string | null {
  const [first] = items;
  if (first === undefined || items.some((item) => isForMany(item, verb))) return null;
  if (items.length > 1) return 'None of these is decided with others: open them one by one';
  if (isEdited(first)) return 'You edited this one: approve it by itself';
  if (first.kind === 'approval') return 'This one is approved by itself';
  return first.kind === 'budget' || first.kind === 'in_doubt'
    ? 'This is no approval: decide it by itself'
    : 'This is a question: it needs an answer';
}

export interface Column {
  name: string;
  label: string;
  schema: JsonSchema | undefined;
  /** What the numbers of the column come to; null where it is not made of numbers. */
  sum: string | null;
}

/** What items show: `columns` differ, `same` is alike in all of them. */
export interface Comparison {
  columns: Column[];
  same: { name: string; label: string; schema: JsonSchema | undefined; value: Json }[];
}

const dataOf = ({ request: { data } }: Interrupt) => (isObject(data) ? data : {});
/** Characters up to which a number of JavaScript says a decimal number exactly. */
export const EXACT = 15;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,12})?$/;

/** What decimal numbers come to, exactly; null where one of them is none. */
export function sumOf(values: readonly (Json | undefined)[]): string | null {
  const texts = values.map((value) =>
    typeof value === 'number' || typeof value === 'string' ? String(value) : '',
  );
  if (values.some((value) => typeof value === 'string' && !value.includes('.'))) return null;
  return texts.every((text) => DECIMAL.test(text)) ? texts.reduce(addDecimal, '0') : null;
}

/** Sort the reviewed fields of items into those that differ and those that are alike. */
export function compare(
  items: readonly Interrupt[],
  schemas: Readonly<Record<string, JsonSchema>> = {},
): Comparison {
  const found: Comparison = { columns: [], same: [] };
  const rows = items.map(dataOf);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  for (const name of names) {
    const values = rows.map((row) => row[name]);
    const [first] = values;
    const schema = schemas[name];
    const label = labelAmong(name, names, schemas);
    const isAlike = values.every((value) => value !== undefined && sameJson(value, first));
    if (isAlike && first !== undefined && items.length > 1)
      found.same.push({ name, label, schema, value: first });
    else found.columns.push({ name, label, schema, sum: sumOf(values) });
  }
  return found;
}

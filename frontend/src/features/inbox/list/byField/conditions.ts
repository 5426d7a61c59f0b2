/** Conditions on what items show, as the list is asked for them: `amount:more:100`, one a line. */

import { currencyOf, labelOf, numberText } from '../../decide/fields/fieldLook.ts';
import type { OfferedField } from './query.ts';

export type How = 'is' | 'contains' | 'more' | 'less';
export interface Condition {
  name: string;
  how: How;
  value: string;
}

/** How many conditions a list takes. */
export const MOST = 5;
export const LONGEST_VALUE = 100;

const WORDS: Record<How, string> = {
  is: 'is',
  contains: 'contains',
  more: 'more than',
  less: 'less than',
};
const HOWS: Record<OfferedField['kind'], readonly How[]> = {
  number: ['more', 'less', 'is'],
  text: ['contains', 'is'],
  one_of: ['is'],
  yes_no: ['is'],
};
const YES_NO: Record<string, string> = { true: 'Yes', false: 'No' };

const isHow = (text: string): text is How => Object.hasOwn(WORDS, text);

/** The conditions of a filter; what cannot be read is left out. */
export function conditionsOf(where: string | undefined): Condition[] {
  return (where ?? '').split('\n').flatMap((line) => {
    const [name = '', how = '', ...rest] = line.split(':');
    const value = rest.join(':').trim();
    return name !== '' && isHow(how) && value !== '' ? [{ name, how, value }] : [];
  });
}

/** Conditions as a filter says them; null for none. */
export const whereOf = (conditions: readonly Condition[]): string | null =>
  conditions.map(({ name, how, value }) => `${name}:${how}:${value}`).join('\n') || null;

/** A filter with one condition more; the same one twice is one. */
export function withCondition(where: string | undefined, one: Condition): string | null {
  const value = one.value.replaceAll(/\s+/g, ' ').trim();
  const others = conditionsOf(where).filter(
    (each) => each.name !== one.name || each.how !== one.how || each.value !== value,
  );
  return whereOf([...others, { ...one, value }]);
}

/** In which ways a field can be asked for, the usual one first. */
export const howsOf = (field: OfferedField | undefined): { value: How; label: string }[] =>
  (field ? HOWS[field.kind] : []).map((how) => ({ value: how, label: WORDS[how] }));

/** What a field takes where it takes one of some. */
export function choicesOf(field: OfferedField | undefined): { value: string; label: string }[] {
  if (field?.kind === 'yes_no')
    return Object.entries(YES_NO).map(([value, label]) => ({ value, label }));
  return (field?.choices ?? []).map((value) => ({ value, label: value }));
}

/** What a field is called. */
export const fieldName = (name: string, field: OfferedField | undefined): string =>
  field?.title || labelOf(name, undefined);

/** `Amount more than $100.00`: a number reads as the items show it. */
export function conditionWords(
  { name, how, value }: Condition,
  field: OfferedField | undefined,
): string {
  return `${fieldName(name, field)} ${WORDS[how]} ${valueWords(name, value, field)}`;
}

function valueWords(name: string, value: string, field: OfferedField | undefined): string {
  if (field?.kind === 'yes_no') return YES_NO[value] ?? value;
  if (field?.kind !== 'number' || !Number.isFinite(Number(value))) return value;
  const schema = { type: 'number', ...(field.unit ? { 'x-unit': field.unit } : {}) };
  const told = numberText(name, Number(value), schema) ?? value;
  return field.unit && currencyOf(schema) === undefined ? `${told} ${field.unit}` : told;
}

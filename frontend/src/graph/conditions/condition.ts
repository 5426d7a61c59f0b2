/** What a condition of rows says: a field, how it is compared, with what. */

import type { FieldKind } from '../fields/kinds.ts';

export type Value = string | number | boolean;

export type Op =
  | 'is'
  | 'isNot'
  | 'oneOf'
  | 'contains'
  | 'starts'
  | 'has'
  | 'above'
  | 'atLeast'
  | 'below'
  | 'atMost'
  | 'empty'
  | 'filled'
  | 'there'
  | 'missing';

export interface Row {
  /** The field as an expression names it: `memory.level`. */
  field: string;
  op: Op;
  /** One value, several for `oneOf`, none where the operator asks for none. */
  values: readonly Value[];
}

export interface Condition {
  match: 'all' | 'any';
  rows: readonly Row[];
}

const WITHOUT: readonly Op[] = ['empty', 'filled', 'there', 'missing'];

/** Whether an operator asks for a value. */
export const asksValue = (op: Op): boolean => !WITHOUT.includes(op);

const THERE: readonly Op[] = ['there', 'missing'];
const EMPTY: readonly Op[] = ['empty', 'filled'];
const AMOUNT: readonly Op[] = ['is', 'isNot', 'above', 'atLeast', 'below', 'atMost', ...THERE];
const TEXT: readonly Op[] = ['is', 'isNot', 'contains', 'starts', 'oneOf', ...EMPTY, ...THERE];

/** The operators that fit a field of a kind, the usual one first; of an unknown kind those of a text and of a number. */
export function opsOf(kind: FieldKind | null): readonly Op[] {
  switch (kind) {
    case 'number':
    case 'money':
      return AMOUNT;
    case 'boolean':
      return ['is', ...THERE];
    case 'one':
      return ['is', 'isNot', 'oneOf', ...THERE];
    case 'date':
      return ['is', 'isNot', 'above', 'below', ...THERE];
    case 'list':
      return ['has', ...EMPTY, ...THERE];
    case 'group':
      return THERE;
    case 'text':
    case 'long':
      return TEXT;
    case null:
      return [...TEXT, 'above', 'below'];
  }
}

const words: Readonly<Record<Op, string>> = {
  is: 'is',
  isNot: 'is not',
  oneOf: 'is one of',
  contains: 'contains',
  starts: 'starts with',
  has: 'has',
  above: 'is more than',
  atLeast: 'is at least',
  below: 'is less than',
  atMost: 'is at most',
  empty: 'is empty',
  filled: 'is not empty',
  there: 'is there',
  missing: 'is missing',
};

/** An operator in words, as one says them of a field of that kind. */
export function opWord(op: Op, kind: FieldKind | null = null): string {
  if (kind === 'date' && op === 'above') return 'is after';
  return kind === 'date' && op === 'below' ? 'is before' : words[op];
}

/** A value in words. */
export const valueWord = (value: Value): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);

/** The last name of a field: `level` of `memory.level`. */
export const fieldWord = (field: string): string =>
  /([\p{L}\p{N}_ -]+)(?:'\])?$/u.exec(field.slice(-120))?.[1] ?? field;

const rowWords = ({ field, op, values }: Row): string =>
  [fieldWord(field), words[op], values.map(valueWord).join(', ')].filter(Boolean).join(' ');

/** A condition in words: `level is senior and years is more than 5`. */
export const conditionWords = ({ match, rows }: Condition): string =>
  rows.map(rowWords).join(match === 'all' ? ' and ' : ' or ');

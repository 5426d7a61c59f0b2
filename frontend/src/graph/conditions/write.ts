/** Conditions of rows as expressions: one way of writing each, so that it can be read back. */

import { asksValue, type Condition, type Op, type Row, type Value } from './condition.ts';

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const literal = (value: Value): string =>
  typeof value === 'string'
    ? `'${value.replace(/[\\'\n\r\t]/g, (mark) => escapes[mark] ?? mark)}'`
    : String(value);

type Writer = (field: string, value: string, values: readonly string[]) => string;

const writers: Readonly<Record<Op, Writer>> = {
  is: (field, value) => `${field} == ${value}`,
  isNot: (field, value) => `${field} != ${value}`,
  oneOf: (field, _, values) => `${field} in [${values.join(', ')}]`,
  contains: (field, value) => `${field}.contains(${value})`,
  starts: (field, value) => `${field}.startsWith(${value})`,
  has: (field, value) => `${value} in ${field}`,
  above: (field, value) => `${field} > ${value}`,
  atLeast: (field, value) => `${field} >= ${value}`,
  below: (field, value) => `${field} < ${value}`,
  atMost: (field, value) => `${field} <= ${value}`,
  empty: (field) => `size(${field}) == 0`,
  filled: (field) => `size(${field}) != 0`,
  there: (field) => `has(${field})`,
  missing: (field) => `!has(${field})`,
};

/** Whether a row says all that it must: a field, and a value where one is asked for. */
export const isWhole = ({ field, op, values }: Row): boolean =>
  field !== '' && (!asksValue(op) || values.length > 0);

/** One row as an expression. */
export function writeRow({ field, op, values }: Row): string {
  const written = values.map(literal);
  return writers[op](field, written[0] ?? '', written);
}

/** A condition as an expression; rows that are not whole yet are left out. */
export const write = ({ match, rows }: Condition): string =>
  rows
    .filter(isWhole)
    .map(writeRow)
    .join(match === 'all' ? ' && ' : ' || ');

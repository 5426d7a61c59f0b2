/** Expressions read back as rows: those that `write` makes, and no other, so that nothing typed by hand is changed. */

import type { Condition, Op, Row, Value } from './condition.ts';
import { Scanner } from './scanner.ts';
import { write } from './write.ts';

const LONGEST = 2_000;

const compared: readonly [string, Op][] = [
  [' == ', 'is'],
  [' != ', 'isNot'],
  [' >= ', 'atLeast'],
  [' <= ', 'atMost'],
  [' > ', 'above'],
  [' < ', 'below'],
];

/** What a call asks of a field: `has(x)`, `!has(x)`, `size(x) == 0`. */
function called(scan: Scanner): Row | null {
  for (const [open, close, op] of [
    ['!has(', ')', 'missing'],
    ['has(', ')', 'there'],
  ] as const) {
    if (!scan.take(open)) continue;
    const field = scan.field();
    return field && scan.take(close) ? { field, op, values: [] } : null;
  }
  if (!scan.take('size(')) return null;
  const field = scan.field();
  if (!field) return null;
  if (scan.take(') == 0')) return { field, op: 'empty', values: [] };
  return scan.take(') != 0') ? { field, op: 'filled', values: [] } : null;
}

function listed(scan: Scanner): Value[] | null {
  const values: Value[] = [];
  do {
    const value = scan.value();
    if (value === null) return null;
    values.push(value);
  } while (scan.take(', '));
  return scan.take(']') ? values : null;
}

/** What is said of a field that stands first. */
function said(scan: Scanner): Row | null {
  const field = scan.field();
  if (!field) return null;
  if (scan.take(' in [')) {
    const values = listed(scan);
    return values && { field, op: 'oneOf', values };
  }
  for (const [open, op] of [
    ['.contains(', 'contains'],
    ['.startsWith(', 'starts'],
  ] as const) {
    if (!scan.take(open)) continue;
    const value = scan.value();
    return value !== null && scan.take(')') ? { field, op, values: [value] } : null;
  }
  const found = compared.find(([mark]) => scan.take(mark));
  const value = found ? scan.value() : null;
  return found && value !== null ? { field, op: found[1], values: [value] } : null;
}

/** `'x' in list`. */
function held(scan: Scanner): Row | null {
  const value = scan.value();
  if (value === null || !scan.take(' in ')) return null;
  const field = scan.field();
  return field ? { field, op: 'has', values: [value] } : null;
}

function row(scan: Scanner): Row | null {
  if (scan.at('has(') || scan.at('!has(') || scan.at('size(')) return called(scan);
  return scan.atValue() ? held(scan) : said(scan);
}

/** The rows that stand here, joined in one way; null where there is something else. */
export function conditionAt(scan: Scanner): Condition | null {
  const rows: Row[] = [];
  let match: Condition['match'] | null = null;
  for (;;) {
    const found = row(scan);
    if (!found) return null;
    rows.push(found);
    const joined = scan.take(' && ') ? 'all' : scan.take(' || ') ? 'any' : null;
    if (joined === null) return { match: match ?? 'all', rows };
    if (match !== null && match !== joined) return null;
    match = joined;
  }
}

/** The rows that an expression stands for; null where it says more than rows can, or says it in another way. */
export function read(text: string): Condition | null {
  if (text.length > LONGEST) return null;
  const scan = new Scanner(text);
  const condition = conditionAt(scan);
  return condition && scan.done && write(condition) === text ? condition : null;
}

/** The one row of a condition that is a single one; null for any other. */
export function readOne(text: string | null | undefined): Row | null {
  const condition = text ? read(text) : null;
  return condition?.rows.length === 1 ? (condition.rows[0] ?? null) : null;
}

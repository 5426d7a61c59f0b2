/** A number by cases: the first condition that holds says it. Written as one expression, and read back only as such. */

import type { Condition } from './condition.ts';
import { conditionAt } from './read.ts';
import { Scanner } from './scanner.ts';
import { isWhole, write } from './write.ts';

export interface Case {
  when: Condition;
  /** A whole number from 0 to 100. */
  points: number;
}

export interface Points {
  cases: readonly Case[];
  otherwise: number;
}

/** So many cases are enough. */
export const MOST_CASES = 20;
const LONGEST = 8_000;

const isPoints = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100;

/** The points as an expression; cases without a whole condition are left out, "" where none is left. */
export function writePoints({ cases, otherwise }: Points): string {
  const whole = cases.filter(({ when }) => when.rows.some(isWhole));
  if (whole.length === 0) return otherwise === 0 ? '' : String(otherwise);
  return [...whole.map(({ when, points }) => `${write(when)} ? ${points}`), otherwise].join(' : ');
}

/** The cases that an expression stands for; null where it says something else, or says it in another way. */
export function readPoints(text: string): Points | null {
  if (text.length > LONGEST) return null;
  const scan = new Scanner(text);
  const cases: Case[] = [];
  for (;;) {
    if (/^\d{1,3}$/.test(scan.rest(4))) break;
    const when = conditionAt(scan);
    if (!when || !scan.take(' ? ')) return null;
    const points = scan.value();
    if (!isPoints(points) || !scan.take(' : ') || cases.length >= MOST_CASES) return null;
    cases.push({ when, points });
  }
  const otherwise = scan.value();
  if (!isPoints(otherwise)) return null;
  const found = { cases, otherwise };
  return writePoints(found) === text ? found : null;
}

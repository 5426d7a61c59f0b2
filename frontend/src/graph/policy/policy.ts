/** The policy of an approval, read for a sentence. What it does not say is left as it is. */

import type { Json, JsonObject } from '../../api/types/types.ts';
import { isRecord } from '../document/equal.ts';

export const gestures = ['never', 'dangerous', 'type'] as const;
export const ownWork = ['starter', 'publisher', 'editor'] as const;
export const reasonTimes = ['never', 'reject', 'always'] as const;

export type OwnWork = (typeof ownWork)[number];
export type Rule = 'any' | 'all' | 'per_group' | number;

export interface Policy {
  /** Null where nobody is named: everyone whose role decides. */
  eligible: readonly string[] | null;
  /** A number is so many approvals. */
  rule: Rule;
  four_eyes: readonly OwnWork[];
  veto: boolean;
  require_reason: (typeof reasonTimes)[number];
  /** Milliseconds after the request. */
  reminders: readonly number[];
  escalation: { after_ms: number; to: readonly string[] } | null;
  confirm: (typeof gestures)[number];
}

/** The properties that the sentence says. */
export const policyNames: readonly string[] = [
  'eligible',
  'rule',
  'four_eyes',
  'veto',
  'require_reason',
  'reminders',
  'escalation',
  'confirm',
] satisfies (keyof Policy)[];

/** Thrown inside of `readPolicy` alone: a value of another shape. */
class Unread extends Error {}

const texts = (value: Json): string[] => {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) throw new Unread();
  return value as string[];
};

function among<T extends string>(value: Json, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found === undefined) throw new Unread();
  return found;
}

function whole(value: Json | undefined): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Unread();
  return value as number;
}

function ruleOf(value: Json): Rule {
  if (!isRecord(value)) return among(value, ['any', 'all', 'per_group'] as const);
  if (Object.keys(value).join() !== 'at_least') throw new Unread();
  return whole(value['at_least'] as Json);
}

function escalationOf(value: Json): Policy['escalation'] {
  if (value === null) return null;
  if (!isRecord(value) || Object.keys(value).some((key) => key !== 'after_ms' && key !== 'to'))
    throw new Unread();
  const to = value['to'] as Json;
  return {
    after_ms: whole(value['after_ms'] as Json),
    to: typeof to === 'string' ? [to] : texts(to),
  };
}

function truth(value: Json): boolean {
  if (typeof value !== 'boolean') throw new Unread();
  return value;
}

/** A policy as the sentence says it; null where a part of it has a shape that no sentence has. */
export function readPolicy(value: Json | undefined): Policy | null {
  const given = value ?? {};
  if (!isRecord(given)) return null;
  const take = <T>(name: keyof Policy, absent: T, read: (value: Json) => T): T => {
    const found = given[name] as Json | undefined;
    return found === undefined ? absent : read(found);
  };
  try {
    return {
      eligible: take<Policy['eligible']>('eligible', null, (list) =>
        list === null ? null : texts(list),
      ),
      rule: take<Rule>('rule', 'any', ruleOf),
      four_eyes: take('four_eyes', [] as OwnWork[], (list) =>
        texts(list).map((each) => among(each, ownWork)),
      ),
      veto: take('veto', false, truth),
      require_reason: take<Policy['require_reason']>('require_reason', 'never', (one) =>
        among(one, reasonTimes),
      ),
      reminders: take('reminders', [] as number[], (list) => {
        if (!Array.isArray(list)) throw new Unread();
        return list.map(whole);
      }),
      escalation: take<Policy['escalation']>('escalation', null, escalationOf),
      confirm: take<Policy['confirm']>('confirm', 'never', (one) =>
        one === null ? 'never' : among(one, gestures),
      ),
    };
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

/** A policy with another value of one property, the others as they were; undefined where nothing is left. */
export function withPart(
  value: Json | undefined,
  name: keyof Policy,
  next: Json | undefined,
): JsonObject | undefined {
  const copy: JsonObject = isRecord(value) ? { ...(value as JsonObject) } : {};
  if (next === undefined) Reflect.deleteProperty(copy, name);
  else copy[name] = next;
  return Object.keys(copy).length > 0 ? copy : undefined;
}

/** A rule as the document has it; undefined for the one that holds without a word. */
export const ruleJson = (rule: Rule): Json | undefined =>
  typeof rule === 'number' ? { at_least: rule } : rule === 'any' ? undefined : rule;

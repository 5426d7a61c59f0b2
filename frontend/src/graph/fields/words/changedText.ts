import { longDuration } from '../../../ui/format/duration/durations.ts';
import type { Json, JsonSchema } from '../../../api/types/types.ts';
import { isRecord } from '../../document/equal.ts';
import { fieldsOf } from '../fields.ts';
import { kindOf, kindWords } from '../kinds.ts';
import { readPolicy } from '../../policy/policy.ts';
import {
  gestureWords,
  type Naming,
  nudges,
  ownWords,
  peopleWords,
  reasonWords,
  ruleWords,
  sentence,
  textOf,
} from '../../policy/words.ts';
import { plain } from './fieldWords.ts';

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Settings that are times, and lists of times, by the last part of their path. */
const isTime = (path: string): boolean => /(^|[._])(ms|reminders)$/.test(path);

/** The part of a policy that a path leads to: empty for the whole of it, null for anything else. */
const inPolicy = (path: string): string | null =>
  /(?:^|\.)policy(?:\.(\w+))?$/.exec(path)?.map((part) => part ?? '')[1] ?? null;

/** A policy, or one property of it, as the inspector's sentence says it; null where no sentence does. */
function policyText(part: string, value: unknown, name: Naming): string | null {
  const policy = readPolicy((part === '' ? value : { [part]: value }) as Json);
  if (policy === null) return null;
  const says: Readonly<Record<string, () => string>> = {
    '': () => textOf(sentence(policy, name, null)),
    rule: () => `${ruleWords(policy.rule)} must agree`,
    eligible: () => peopleWords(policy.eligible, name),
    four_eyes: () => policy.four_eyes.map((own) => `not ${ownWords(own)}`).join(', '),
    veto: () => (policy.veto ? 'a no ends it' : 'a no counts'),
    require_reason: () => reasonWords(policy.require_reason),
    confirm: () => gestureWords(policy.confirm),
    escalation: () => textOf(nudges({ ...policy, reminders: [] }, name)).trim(),
  };
  return says[part]?.() || null;
}

/** Whom an entry such as `group:finance` names, where there is nobody to ask for names. */
const bare: Naming = (entry) => entry.replace(/^(user|group|role):/, '');

/** A value of any shape without brackets and quotes; what lies in it stands in parentheses. */
function plainText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value) && !isRecord(value)) return String(value);
  const said = Array.isArray(value)
    ? value.map((each) => inside(each))
    : Object.entries(value).map(([name, each]) => `${plain(name)}: ${inside(each, name)}`);
  return said.length > 0 ? said.join(', ') : 'nothing';
}

function inside(value: unknown, name = ''): string {
  const said = changedText(name, value);
  return (Array.isArray(value) && value.length > 0) || isRecord(value) ? `(${said})` : said;
}

/** The fields of a table, or what one of them is; null where a table says less than the shape. */
function tableText(path: string, value: unknown): string | null {
  if (!isRecord(value)) return null;
  const kind = (schema: unknown) => {
    const found = kindOf(schema);
    return found ? kindWords[found].replace(' of', '').toLowerCase() : 'JSON Schema';
  };
  if (/\.properties\.[^.]+$/.test(path)) return kind(value);
  if (!/(^|\.)(inputs|outputs|state_schema|result_schema)$/.test(path)) return null;
  const fields = fieldsOf(value as JsonSchema);
  return fields.map(({ name, schema }) => `${name} (${kind(schema)})`).join(', ') || null;
}

/** A value of a setting as the screen says it: times, people and policies in words, no brackets. */
export function changedText(path: string, value: unknown, name: Naming = bare): string {
  if (typeof value === 'string' && /(^|[._])usd$/.test(path)) return `$${value}`;
  if (typeof value === 'string' && inPolicy(path) === null) return value;
  const times = Array.isArray(value) ? value : [value];
  if (isTime(path) && times.length > 0 && times.every(isNumber))
    return times.map(longDuration).join(', ');
  if (/(^|\.)escalation\.to$/.test(path) && times.every((each) => typeof each === 'string'))
    return peopleWords(times, name);
  const part = inPolicy(path);
  const said = part === null ? tableText(path, value) : policyText(part, value, name);
  return said ?? plainText(value);
}

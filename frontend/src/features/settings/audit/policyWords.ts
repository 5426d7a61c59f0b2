/** A policy as the audit log keeps it, in a few words. */

import { isObject } from '../../../run/values/json.ts';

type Names = Readonly<Record<string, string>>;

const RULES: Record<string, string> = {
  any: 'any one',
  all: 'everyone',
  per_group: 'one of each',
};
const REASONS: Record<string, string> = {
  reject: 'a reason for a no',
  always: 'always with a reason',
};

/** `role:admin` → Admins, `group:finance` → finance, `user:x` by name; other words as they are. */
export function principalText(entry: string, names: Names): string {
  const [kind, ...rest] = entry.split(':');
  const name = rest.join(':');
  if (!name) return entry;
  if (kind === 'role') return `${name.charAt(0).toUpperCase()}${name.slice(1)}s`;
  if (kind === 'group') return name;
  return kind === 'user' ? ((Object.hasOwn(names, name) ? names[name] : undefined) ?? name) : entry;
}

function ruleText(rule: unknown): string {
  if (isObject(rule as never)) return String((rule as { at_least?: unknown }).at_least ?? '');
  return RULES[String(rule)] ?? '';
}

const listed = (value: unknown, names: Names): string =>
  Array.isArray(value) ? value.map((one) => principalText(String(one), names)).join(', ') : '';

/** `any one of finance, legal; not the starter; a reason for a no`. */
export function policyText(policy: unknown, names: Names): string {
  if (!isObject(policy as never)) return String(policy);
  const said = policy as Record<string, unknown>;
  const asked = listed(said.eligible, names) || 'all reviewers';
  const eyes = Array.isArray(said.four_eyes) ? said.four_eyes : [];
  const parts = [
    `${ruleText(said.rule) || 'any one'} of ${asked}`,
    eyes.length > 0 ? `not the ${eyes.join(' or ')}` : '',
    said.veto === true ? 'a no ends it' : '',
    REASONS[String(said.require_reason)] ?? '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** What a token may, in words. */

import type { ApiToken } from '../../../api/http/workspace/people/access.ts';

export type Scope = ApiToken['scopes'][number];

export const SCOPES: readonly { value: Scope; label: string; text: string; short: string }[] = [
  {
    value: 'runs:start',
    label: 'Start workflows',
    text: 'By the API, as tools and as chat models.',
    short: 'start',
  },
  {
    value: 'runs:read',
    label: 'Read runs',
    text: 'What came of them, what they said, what they wait for.',
    short: 'read runs of',
  },
  { value: 'runs:cancel', label: 'Cancel runs', text: 'End what runs.', short: 'cancel' },
  {
    value: 'questions:answer',
    label: 'Answer questions',
    text: 'Never approvals: people decide those.',
    short: 'answer questions of',
  },
  {
    value: 'workflows:read',
    label: 'Read workflows',
    text: 'Their versions and documents.',
    short: 'read',
  },
];

/** One scope as the form of a token calls it; null for what is none. */
export function scopeWords(scope: string): string | null {
  if (scope === '*') return 'everything that its owner may';
  return SCOPES.find(({ value }) => value === scope)?.label.toLowerCase() ?? null;
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Such as: start “Refund” · until 1 Mar 2027. */
export function tokenWords(token: Pick<ApiToken, 'scopes' | 'graphs' | 'expires_at'>): string {
  const until = token.expires_at ? ` · until ${day.format(new Date(token.expires_at))}` : '';
  return `${mayWords(token)}${until}`;
}

function mayWords({ scopes, graphs }: Pick<ApiToken, 'scopes' | 'graphs'>): string {
  if (scopes.includes('*')) return 'everything that its owner may';
  const verbs = SCOPES.filter(({ value }) => scopes.includes(value)).map(({ short }) => short);
  const which = graphs.map(({ name }) => (name ? `“${name}”` : 'one that is gone'));
  return `${verbs.join(', ')} ${which.length > 0 ? which.join(', ') : 'all workflows'}`;
}

const DAY_MS = 86_400_000;
/** How long a token may hold, in days; 0 for good. */
export const LASTS: readonly { value: string; label: string }[] = [
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '0', label: 'Until it is revoked' },
];

/** When a token is over that is made now; null for never. */
export const endOf = (days: string, now: number): string | null =>
  days === '0' ? null : new Date(now + Number(days) * DAY_MS).toISOString();

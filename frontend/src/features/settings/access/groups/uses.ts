import type { GroupUse } from '../../../../api/http/workspace/people/access.ts';

/** One thing that names a group, in words; `to` is where it can be changed. */
export interface UseWords {
  before: string;
  name: string;
  to: string;
}

const ALERTS: Record<string, string> = {
  failures: 'runs fail',
  waiting: 'items wait too long',
  in_doubt: 'a call is in doubt',
  provider_down: 'a provider is down',
  stuck: 'runs stand still',
  budget: 'a budget is nearly used',
  spend: 'much is spent in a day',
};
const WORDS: Record<GroupUse['kind'], (use: GroupUse) => UseWords> = {
  workflow: ({ id, name }) => ({ before: 'Asked by', name, to: `/workflows/${id}` }),
  item: ({ id, name }) => ({ before: 'Asked now:', name, to: `/inbox/${id}` }),
  gate: ({ id, name }) => ({ before: 'Approves versions of', name, to: `/workflows/${id}` }),
  alert: ({ name }) => ({
    before: 'Told when',
    name: ALERTS[name] ?? name,
    to: '/dashboard/operations',
  }),
  provider: ({ name }) => ({ before: 'Given by the sign-in of', name, to: '/settings/sign-in' }),
  invitation: ({ name }) => ({
    before: 'Given by the invitation of',
    name: name || 'whoever has the link',
    to: '/settings/members',
  }),
};

export const wordsOf = (use: GroupUse): UseWords => WORDS[use.kind](use);

/** What was published, and what somebody was asked, keeps the name that it has. */
export const keepsName = (uses: readonly GroupUse[]): boolean =>
  uses.some(({ kind }) => kind === 'workflow' || kind === 'item');

import type { AuditEntry } from '../../../api/http/workspace/people/access.ts';
import { ACTIONS } from './actions.ts';
import { shortId } from './particulars.ts';

/** Kinds of entries that the list narrows to, by the beginning of their action. */
export const ACTION_KINDS = [
  { value: 'interrupt', label: 'Decisions and answers' },
  { value: 'decision', label: 'Single votes' },
  { value: 'run', label: 'Runs' },
  { value: 'retention', label: 'How long runs are kept' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'password', label: 'Passwords' },
  { value: 'account', label: 'Accounts' },
  { value: 'factor', label: 'Second factors' },
  { value: 'identity_provider', label: 'Firm sign-ins' },
  { value: 'identity', label: 'Firm accounts' },
  { value: 'member', label: 'Members' },
  { value: 'group', label: 'Groups' },
  { value: 'standin', label: 'Absences' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'budget', label: 'Budgets' },
  { value: 'alert', label: 'Alerts' },
  { value: 'bulk', label: 'Bulk jobs' },
  { value: 'cause', label: 'Causes of failures' },
  { value: 'breaker', label: 'Stopped calls' },
  { value: 'graph', label: 'Workflows' },
  { value: 'trigger', label: 'Triggers' },
  { value: 'channel', label: 'Channels' },
  { value: 'notice', label: 'Notices and their rules' },
  { value: 'draft', label: 'Drafts from words' },
  { value: 'pin', label: 'Pinned results' },
  { value: 'agent', label: 'Agents' },
  { value: 'provider', label: 'Model providers' },
  { value: 'model', label: 'Model tests' },
  { value: 'price', label: 'Model prices' },
  { value: 'tool', label: 'Tools' },
  { value: 'credential', label: 'Credentials' },
  { value: 'token', label: 'API tokens' },
  { value: 'fact', label: 'Facts' },
  { value: 'workspace', label: 'Workspace' },
];

const PLACES: Record<string, (id: string) => string> = {
  run: (id) => `/runs/${id}`,
  interrupt: (id) => `/inbox/${id}`,
  decision: (id) => `/inbox/${id}`,
  graph: (id) => `/workflows/${id}`,
  retention: (id) => `/workflows/${id}`,
  draft: (id) => `/runs/${id}`,
};

/** `agent.created` → Agent created, `standin.set` → Stand-in set. */
export function actionName(action: string): string {
  const said = ACTIONS[action];
  if (said) return said;
  const words = action
    .replaceAll(/[._]/g, ' ')
    .replace(/^standin\b/, 'stand-in')
    .replace(/^graph\b/, 'workflow');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who did it. */
export const actorName = ({ actor, action }: AuditEntry): string =>
  actor?.name ?? (action === 'session.refused' ? 'somebody' : 'the system');

const PERIODS: Record<string, string> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
  total: 'in all',
};

/** What an entry is of: as it is called now, a budget that is gone by what it limited. */
export function subjectName({ action, target, target_name: name, detail, names }: AuditEntry) {
  if (name !== null) return name;
  const period = typeof detail.period === 'string' ? PERIODS[detail.period] : undefined;
  if (!action.startsWith('budget.') || period === undefined) return shortId(target);
  const [of] = [detail.trigger, detail.graph].filter((id) => typeof id === 'string');
  return `${of === undefined ? 'The workspace' : (names[of] ?? 'A workflow that is gone')} ${period}`;
}

/** Where the subject of an entry is found; null where it has no page, or is gone. */
export function entryPlace({ action, target, target_name: name }: AuditEntry): string | null {
  const place = PLACES[action.split('.', 1)[0] ?? ''];
  return place && name !== null ? place(target) : null;
}

import type { AuditEntry } from '../../../api/http/workspace/people/access.ts';
import { shortId } from './particulars.ts';

/** Kinds of entries that the list narrows to, by the beginning of their action. */
export const ACTION_KINDS = [
  { value: 'interrupt', label: 'Decisions and answers' },
  { value: 'decision', label: 'Single votes' },
  { value: 'run', label: 'Runs' },
  { value: 'retention', label: 'How long runs are kept' },
  { value: 'session', label: 'Sign-ins' },
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
  { value: 'cause', label: 'Causes' },
  { value: 'graph', label: 'Workflows' },
  { value: 'trigger', label: 'Triggers' },
  { value: 'channel', label: 'Channels' },
  { value: 'notice', label: 'Notices and their rules' },
  { value: 'draft', label: 'Drafts from words' },
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

const ACTIONS: Record<string, string> = {
  'interrupt.decided': 'Decided',
  'interrupt.answered': 'Answered',
  'interrupt.claimed': 'Claimed',
  'interrupt.released': 'Claim given up',
  'interrupt.delegated': 'Passed on',
  'interrupt.withdrawn': 'Decision taken back',
  'interrupt.asked_back': 'Asked back',
  'interrupt.asking_answered': 'Question answered',
  'interrupt.asking_withdrawn': 'Question taken back',
  'interrupt.asking_lapsed': 'Question not answered in time',
  'decision.recorded': 'Voted',
  'decision.lapsed': 'Vote does not count any more',
  'session.refused': 'Sign-in refused',
  'tool.set': 'Tool set',
  'runs.pruned': 'Old runs deleted',
  'runs.archived': 'Old runs archived',
  'run.kept': 'Kept, however old',
  'run.let_go': 'Kept no longer',
  'run.deleted': 'Archived run deleted',
  'retention.set': 'How long runs are kept',
  'retention.cleared': 'Runs kept as the workspace says',
  'tool_source.added': 'Tool source added',
  'tool_source.chosen': 'Calls of an API chosen as tools',
  'tool_source.connected': 'Tool source connected',
  'tool_source.disconnected': 'Tool source disconnected',
  'tool_source.refreshed': 'Tool source looked at again',
  'factor.added': 'Second factor set up',
  'factor.removed': 'Second factor taken off',
  'factor.renamed': 'Passkey renamed',
  'identity_provider.added': 'Firm sign-in added',
  'identity_provider.changed': 'Firm sign-in changed',
  'identity_provider.removed': 'Firm sign-in removed',
  'identity.connected': 'Firm account connected',
  'identity.disconnected': 'Firm account disconnected',
  'trigger.again': 'Delivery started again',
  'graph.offered': 'Workflow offered to programs',
  'graph.offer_withdrawn': 'Workflow offered to programs no more',
  'account.made': 'Account for programs made',
  'account.ended': 'Account for programs ended',
  'channel.went_off': 'Channel went off by itself',
  'channel.code_sent': 'Code sent to a channel',
  'channel.secret_rotated': 'Another secret for a webhook',
  'notice.again': 'Notice sent again',
  'graph.publish_gate': 'Publishing needs approval',
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

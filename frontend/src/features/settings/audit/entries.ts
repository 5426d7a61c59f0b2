import type { AuditEntry } from '../../../api/http/workspace/access.ts';
import { formatDuration } from '../../../ui/format/format.ts';
import { isObject } from '../../../run/values/json.ts';
import { changesText, type EditedValue } from '../../../run/values/edits.ts';

/** Kinds of entries that the list narrows to, by the beginning of their action. */
export const ACTION_KINDS = [
  { value: 'interrupt', label: 'Decisions and answers' },
  { value: 'decision', label: 'Single votes' },
  { value: 'run', label: 'Runs' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'account', label: 'Accounts' },
  { value: 'member', label: 'Members' },
  { value: 'standin', label: 'Absences' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'budget', label: 'Budgets' },
  { value: 'alert', label: 'Alerts' },
  { value: 'bulk', label: 'Bulk jobs' },
  { value: 'cause', label: 'Causes' },
  { value: 'graph', label: 'Workflows' },
  { value: 'draft', label: 'Drafts from words' },
  { value: 'agent', label: 'Agents' },
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
  'interrupt.answered_back': 'Question answered',
  'decision.recorded': 'Voted',
  'session.refused': 'Sign-in refused',
  'graph.publish_gate': 'Publishing needs approval',
};
const PARTICULARS: Record<string, string> = {
  held_ms: 'could be taken back for',
  content_hash: 'content hash',
  egress_allow: 'private addresses allowed',
};

/** A value that is named for its unit, in words: `held_ms` in seconds. */
function measured(name: string, value: unknown): string | null {
  return name.endsWith('_ms') && typeof value === 'number' ? formatDuration(value) : null;
}

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

/** Where the subject of an entry is found; null where it has no page, or is gone. */
export function entryPlace({ action, target, target_name: name }: AuditEntry): string | null {
  const place = PLACES[action.split('.', 1)[0] ?? ''];
  return place && name !== null ? place(target) : null;
}

type Edited = EditedValue & { by?: string | null };

/** Edits in one line; of several people each with the name of who made it. */
function editedText(changes: readonly Edited[], names: AuditEntry['names']): string {
  if (new Set(changes.map((change) => change.by)).size < 2) return changesText(changes);
  return changes
    .map(
      (change) =>
        `${changesText([change])} by ${change.by ? (names[change.by] ?? change.by) : 'nobody'}`,
    )
    .join(', ');
}

function plainValue(value: unknown, names: AuditEntry['names']): string {
  if (typeof value === 'string') return names[value] ?? value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.map((item) => names[item] ?? item).join(', ');
  if (isObject(value as never) && 'sha256' in (value as object))
    return `${String((value as { bytes: number }).bytes)} bytes, kept as a hash`;
  return JSON.stringify(value);
}

/** What was edited comes first, hashes last. */
function weight(part: string): number {
  if (part.startsWith('edited')) return 0;
  return /^\S+ hash: /.test(part) ? 2 : 1;
}

/** The particulars of an entry in one line: names for ids, edits as before and after; what was not set is left out. */
export function particulars(detail: AuditEntry['detail'], names: AuditEntry['names'] = {}): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      if (name === 'changes' && Array.isArray(value))
        return `edited: ${editedText(value as Edited[], names)}`;
      const said = PARTICULARS[name] ?? name.replaceAll('_', ' ');
      return `${said}: ${measured(name, value) ?? plainValue(value, names)}`;
    })
    .sort((one, other) => weight(one) - weight(other))
    .join(' · ');
}

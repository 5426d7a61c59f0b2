/** What may happen and start a workflow, in words. */

import type { Trigger } from '../../../api/http/runs/triggers.ts';
import type { Json } from '../../../api/types/types.ts';

export const WAITING = 'item.waiting';
export const MARK = 'budget.mark';

interface Group {
  group: string;
  items: { value: string; label: string }[];
}

/** All that may happen, by what it happens to. */
export const EVENTS: readonly Group[] = [
  {
    group: 'Runs',
    items: [
      { value: 'run.completed', label: 'A run ended well' },
      { value: 'run.failed', label: 'A run failed' },
      { value: 'run.timeout', label: 'A run took too long' },
      { value: 'run.cancelled', label: 'A run was cancelled' },
    ],
  },
  {
    group: 'Items of the inbox',
    items: [
      { value: WAITING, label: 'An item waits for long' },
      { value: 'item.reminded', label: 'People were reminded of an item' },
      { value: 'item.escalated', label: 'An item was passed on' },
      { value: 'approval.opened', label: 'An approval is asked for' },
      { value: 'approval.decided', label: 'An approval was decided' },
      { value: 'approval.expired', label: 'An approval ran out of time' },
      { value: 'question.opened', label: 'A question is asked' },
      { value: 'question.answered', label: 'A question was answered' },
      { value: 'question.expired', label: 'A question ran out of time' },
      { value: 'doubt.opened', label: 'Nobody knows whether a call happened' },
      { value: 'doubt.decided', label: 'A call in doubt was decided' },
      { value: 'doubt.expired', label: 'A call in doubt ran out of time' },
    ],
  },
  {
    group: 'Budgets',
    items: [
      { value: MARK, label: 'A budget passed a mark' },
      { value: 'budget.opened', label: 'A run asks for more budget' },
      { value: 'budget.decided', label: 'More budget was decided' },
      { value: 'budget.expired', label: 'A request for budget ran out of time' },
    ],
  },
];

export const PERCENTS = [50, 75, 90, 100].map((percent) => ({
  value: String(percent),
  label: `${String(percent)} % of it is spent`,
}));

const LABELS: Record<string, string> = Object.fromEntries(
  EVENTS.flatMap(({ items }) => items.map(({ value, label }) => [value, label])),
);

export const wordsOf = (kind: string): string => LABELS[kind] ?? kind;

const isText = (value: Json): value is string => typeof value === 'string';

/** What a trigger waits for. */
export const heardKinds = (config: Record<string, Json>): string[] =>
  Array.isArray(config['on']) ? config['on'].filter(isText) : [];

/** What a trigger waits for and of which workflow, in a line. */
export function heardOf({ config, watched }: Trigger): string {
  const kinds = heardKinds(config).map(wordsOf);
  const first = kinds.slice(0, 2).join(', or: ');
  const more = kinds.length > 2 ? ` and ${String(kinds.length - 2)} more` : '';
  if (!watched) return `Event: ${first}${more}`;
  const name = watched.name ? `“${watched.name}”` : 'a workflow that is gone';
  return `Event of ${name}: ${first}${more}`;
}

/** The settings with other events: only those that one of them asks for. */
export function withKinds(
  config: Record<string, Json>,
  on: readonly string[],
): Record<string, Json> {
  return {
    on: [...on],
    ...(config['workflow'] ? { workflow: config['workflow'] } : {}),
    ...(on.includes(WAITING) ? { minutes: config['minutes'] ?? 60 } : {}),
    ...(on.includes(MARK) ? { percent: config['percent'] ?? 90 } : {}),
  };
}

const RUN_ENDS: Record<string, string> = {
  'run.completed': 'completed',
  'run.failed': 'failed',
  'run.timeout': 'timeout',
  'run.cancelled': 'cancelled',
};

/** What expressions would read of the first thing that a trigger waits for. */
export function exampleOf({ config, watched }: Trigger): Record<string, Json> {
  const [kind = 'run.failed'] = heardKinds(config);
  const status = RUN_ENDS[kind];
  return {
    event: kind,
    id: '1',
    at: '2026-01-31T08:00:00.000Z',
    workflow: { id: watched?.id ?? '…', slug: '…', name: watched?.name ?? '…' },
    run: {
      id: '…',
      status: status ?? 'running',
      cost_usd: '0.01',
      error: status === 'failed' ? { code: 'NodeFailed', node: 'step' } : null,
      result: status === 'completed' ? {} : null,
    },
    item:
      status || kind === MARK ? null : { id: '…', kind: 'approval', node: 'review', minutes: null },
    budget: kind === MARK ? { level: 'workspace', percent: config['percent'] ?? 90 } : null,
  };
}

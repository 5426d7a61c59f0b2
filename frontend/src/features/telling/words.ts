/** Channels, rules and notices in words. */

import type {
  Channel,
  ChannelKind,
  Notice,
  Rule,
  RuleChange,
} from '../../api/http/workspace/telling.ts';
import { capital } from '../../ui/format/format.ts';

export interface KindWords {
  label: string;
  address: string;
  placeholder: string;
  text: string;
  /** What is asked for beside the address. */
  key?: { label: string; needed: boolean };
}

export const CHANNELS: Record<ChannelKind, KindWords> = {
  mail: {
    label: 'Mail',
    address: 'Mail address',
    placeholder: 'ops@example.com',
    text: 'Each message is one mail.',
  },
  slack: {
    label: 'Slack',
    address: 'Address of the incoming webhook',
    placeholder: 'https://hooks.slack.com/services/…',
    text: 'In Slack: Apps, Incoming WebHooks, choose the channel, copy the address.',
  },
  teams: {
    label: 'Microsoft Teams',
    address: 'Address of the workflow',
    placeholder: 'https://….logic.azure.com/workflows/…',
    text: 'In Teams: Workflows, “Send webhook alerts to a channel”, copy the address.',
  },
  discord: {
    label: 'Discord',
    address: 'Address of the webhook',
    placeholder: 'https://discord.com/api/webhooks/…',
    text: 'In Discord: settings of the channel, Integrations, Webhooks, copy the address.',
  },
  telegram: {
    label: 'Telegram',
    address: 'Number of the chat, or @name of the channel',
    placeholder: '-1001234567890',
    text: 'Make a bot with @BotFather and add it to the chat.',
    key: { label: 'Token of the bot', needed: true },
  },
  ntfy: {
    label: 'ntfy',
    address: 'Server and topic',
    placeholder: 'https://ntfy.sh/my-topic',
    text: 'Whoever knows the topic can read it: choose one that nobody guesses, or a token.',
    key: { label: 'Access token, if the server asks for one', needed: false },
  },
  webhook: {
    label: 'Webhook for a program',
    address: 'Address that is called',
    placeholder: 'https://example.com/hooks/graphwright',
    text: 'Each event is one signed call, as Standard Webhooks say.',
  },
};

interface EventWords {
  value: string;
  /** In the list to choose from. */
  label: string;
  /** In a summary. */
  short: string;
}

export const EVENTS: readonly { group: string; items: readonly EventWords[] }[] = [
  {
    group: 'Somebody has to act',
    items: [
      { value: 'approval.opened', label: 'An approval waits', short: 'approval waits' },
      { value: 'question.opened', label: 'A question waits', short: 'question waits' },
      { value: 'budget.opened', label: 'A run asks for more budget', short: 'budget asked for' },
      { value: 'doubt.opened', label: 'A call is in doubt', short: 'call in doubt' },
      { value: 'item.reminded', label: 'A reminder is due', short: 'reminder' },
      { value: 'item.waiting', label: 'An item waits too long', short: 'item waits too long' },
      { value: 'item.escalated', label: 'An item is escalated', short: 'escalation' },
    ],
  },
  {
    group: 'Runs',
    items: [
      { value: 'run.failed', label: 'A run failed', short: 'run failed' },
      { value: 'run.timeout', label: 'A run ran out of time', short: 'run out of time' },
      { value: 'run.completed', label: 'A run completed', short: 'run completed' },
      { value: 'run.cancelled', label: 'A run was cancelled', short: 'run cancelled' },
    ],
  },
  {
    group: 'Money',
    items: [{ value: 'budget.mark', label: 'A budget reaches a mark', short: 'budget mark' }],
  },
  {
    group: 'What people did',
    items: [
      { value: 'approval.decided', label: 'An approval was decided', short: 'approval decided' },
      { value: 'question.answered', label: 'A question was answered', short: 'question answered' },
      { value: 'budget.decided', label: 'More budget was decided on', short: 'budget decided' },
      { value: 'doubt.decided', label: 'A doubt was settled', short: 'doubt settled' },
    ],
  },
  {
    group: 'Nobody did in time',
    items: [
      { value: 'approval.expired', label: 'An approval expired', short: 'approval expired' },
      { value: 'question.expired', label: 'A question expired', short: 'question expired' },
      { value: 'budget.expired', label: 'Asking for budget expired', short: 'budget expired' },
      { value: 'doubt.expired', label: 'A doubt expired', short: 'doubt expired' },
    ],
  },
];

const SHORT = new Map(
  EVENTS.flatMap(({ items }) => items).map(({ value, short }) => [value, short]),
);
const WAITS = new Set(EVENTS[0]?.items.map(({ value }) => value));

/** What a channel's rules can ask for: mail about what waits for oneself is chosen by itself. */
export const eventsFor = (channel: Channel | undefined) =>
  channel?.of === 'me' && channel.kind === 'mail'
    ? EVENTS.filter(({ items }) => !items.some(({ value }) => WAITS.has(value)))
    : EVENTS;

/** A kind of event in a few words. */
export const eventName = (kind: string): string => SHORT.get(kind) ?? kind;

/** When a rule tells: `at once`, `every hour`, `daily at 08:00`. */
export function whenText({ when, at }: Pick<RuleChange, 'when' | 'at'>): string {
  if (when === 'hourly') return 'every hour';
  return when === 'daily' ? `daily at ${at}` : 'at once';
}

/** What a notice tells of; a run that a person rejected did not fail. */
export const noticeName = ({ kind, rejected }: Pick<Notice, 'kind' | 'rejected'>): string =>
  capital(rejected ? 'run rejected' : eventName(kind));

/** What a notice is about: the workflow and the title of the run. */
export const aboutOf = ({ workflow, run_title: title }: Pick<Notice, 'workflow' | 'run_title'>) =>
  [workflow, title].filter(Boolean).join(' · ');

/** A rule in one line: `Approval waits, run failed → Slack #ops at once`. */
export function ruleText(rule: Rule, workflow?: string): string {
  const kinds = [...SHORT.keys()]
    .filter((kind) => rule.kinds.includes(kind))
    .map(eventName)
    .join(', ');
  const whose = rule.mine ? ' (my runs)' : '';
  const where = workflow === undefined ? '' : ` of ${workflow}`;
  const folder = rule.folder ? ` in ${rule.folder}` : '';
  const tag = rule.tag ? ` tagged ${rule.tag}` : '';
  const long = rule.minutes === null ? '' : ` (${String(rule.minutes)} minutes)`;
  return `${capital(kinds)}${long}${whose}${where}${folder}${tag} → ${rule.channel.name} ${whenText(rule)}`;
}

/** Quiet hours in a few words; empty without any. */
export const quietText = ({ quiet }: Pick<Channel, 'quiet'>): string =>
  quiet ? `quiet ${quiet.begin}–${quiet.end}` : '';

/** How a channel stands: null where all is well. */
export function troubleOf(channel: Channel): string | null {
  if (channel.verified_at === null)
    return channel.of === 'me' ? 'Waits for its code' : 'Waits for a test';
  if (channel.on) return null;
  return channel.off_why ? `Went off: ${channel.off_why}` : 'Off';
}

const STATES: Record<Notice['state'], string> = {
  waiting: 'Waits',
  sent: 'Sent',
  failed: 'Not sent',
  dropped: 'Left out',
};

/** What became of a notice, in a line. */
export function toldOf(notice: Notice): string {
  const told = [STATES[notice.state]];
  if (notice.status !== null && notice.state === 'sent')
    told.push(`answered ${String(notice.status)}`);
  if (notice.reason) told.push(notice.reason);
  if (notice.tries > 1) told.push(`${String(notice.tries)} tries`);
  return told.join(', ');
}

import type { AlertChange, AlertKind, AlertRule } from '../../../api/http/alerts.ts';
import { formatUntil, formatUsd } from '../../../ui/format/format.ts';

export interface KindLook {
  value: AlertKind;
  label: string;
  /** What the threshold counts; empty where the label says it. */
  unit: string;
  /** Whether the rule looks back on a stretch of time, or forward from one. */
  window: 'within' | 'for' | null;
  usual: number;
}

/** What people can be told of, in the order of how often it is wanted. */
export const kinds: readonly KindLook[] = [
  { value: 'failures', label: 'Runs fail', unit: 'runs', window: 'within', usual: 5 },
  { value: 'waiting', label: 'Items wait too long', unit: 'items', window: 'for', usual: 1 },
  { value: 'in_doubt', label: 'A call is in doubt', unit: 'calls', window: null, usual: 1 },
  { value: 'provider_down', label: 'A provider is down', unit: 'runs', window: 'within', usual: 1 },
  { value: 'stuck', label: 'Runs stand still', unit: 'runs', window: null, usual: 1 },
  { value: 'budget', label: 'A budget is nearly used', unit: '% of it', window: null, usual: 80 },
  { value: 'spend', label: 'Much is spent in a day', unit: 'USD', window: null, usual: 10 },
];

export const lookOf = (what: AlertKind): KindLook =>
  kinds.find((each) => each.value === what) ?? (kinds[0] as KindLook);

export const windows = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: 'an hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: 'a day' },
  { value: '4320', label: '3 days' },
  { value: '10080', label: 'a week' },
];

/** So many minutes in words, whatever they are. */
export function windowName(minutes: number): string {
  const known = windows.find((each) => each.value === String(minutes));
  if (known) return known.label;
  if (minutes === 1) return 'a minute';
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

/** A rule as one sentence, without who is told. */
export function ruleSentence(rule: AlertRule): string {
  const where = rule.graph ? ` in ${rule.graph.name}` : '';
  const n = rule.threshold ?? 0;
  const many = (one: string) => `${n} ${n === 1 ? one : `${one}s`} or more`;
  const window = windowName(rule.window_minutes);
  const said: Record<AlertKind, string> = {
    failures: `${many('run')} failed${where} within ${window}`,
    provider_down: `${many('run')} failed${where} within ${window} as a provider was not available`,
    waiting: `${many('item')}${where} waited for over ${window}`,
    in_doubt: `${many('call')} in doubt${where}`,
    stuck: `${many('run')} stood still${where}`,
    budget: `A budget${where} was used to ${n} % or more`,
    spend: `${formatUsd(rule.threshold_usd ?? '0')} or more were spent${where} in a day`,
  };
  return said[rule.what];
}

/** What most people want to be told of, for a workspace without any rule. */
export const usualRules = (to: string[]): AlertChange[] =>
  (['failures', 'waiting', 'in_doubt', 'provider_down', 'budget'] as const).map((what) => ({
    what,
    threshold: lookOf(what).usual,
    window_minutes: what === 'waiting' ? 1440 : 60,
    graph: null,
    to,
  }));

/** Whom a rule tells beside the dashboard, and until when nobody; a server without mail promises none. */
export function mailWords(
  to: readonly string[],
  sendsMail: boolean,
  mutedUntil: string | null = null,
): string {
  const muted = mutedUntil ? ` · muted until ${formatUntil(new Date(mutedUntil), new Date())}` : '';
  if (to.length === 0) return `On the dashboard only${muted}`;
  const names = to.join(', ');
  return sendsMail
    ? `Mail to ${names}${muted}`
    : `On the dashboard only; mail to ${names} once this server sends mail${muted}`;
}

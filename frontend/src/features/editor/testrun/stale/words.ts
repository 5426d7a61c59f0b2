/** What cards, the outline and the button say of nodes that changed since the last run. */

import type { ForkPlan, RunStatus, StaleMark } from '../../../../api/types/types.ts';
import { addDecimal } from '../../../../run/values/decimal.ts';
import { formatUsd } from '../../../../ui/format/format.ts';

/** A sign on a card: filled where the node itself changed, open where something that it builds on did. */
export interface StaleSign {
  changed: boolean;
  words: string;
}

type NameOf = (id: string) => string;

const parts: Record<string, string> = {
  node: 'its settings',
  agent: 'its agent',
  wires: 'the wires that lead to it',
  ways: 'the ways on from it',
  pin: 'its pinned answer',
};
const MOST = 3;
/** What becomes of a node whose answer is no longer pinned. */
export const REAL_AGAIN = 'Runs for real again';

/** Names in a row, the first few of many. */
export function listed(names: readonly string[]): string {
  if (names.length > MOST)
    return `${names.slice(0, MOST - 1).join(', ')} and ${names.length - MOST + 1} more`;
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

/**
 * The sign of a node; null where its card says already what happened. `alone`: one node was tried alone since
 * the run that is compared, so that this is not the last one. `pinned`: its answer is pinned now.
 */
export function signOf(
  mark: StaleMark,
  nameOf: NameOf,
  { alone = false, pinned = true } = {},
): StaleSign | null {
  const since = alone ? 'since the last whole run' : 'since the last run';
  if (mark.why === 'failed') return null;
  if (mark.why === 'reads') {
    const from = mark.of.map(nameOf);
    const words = from.length > 0 ? `builds on ${listed(from)}` : 'what it builds on';
    return { changed: false, words: `Not up to date: ${words}, which changed ${since}` };
  }
  if (mark.what.includes('new')) return { changed: true, words: `New ${since}` };
  if (!pinned && mark.what.length === 1 && mark.what[0] === 'pin')
    return { changed: true, words: `${REAL_AGAIN}: its answer was pinned` };
  const what = mark.what.flatMap((part) => parts[part] ?? []);
  return { changed: true, words: `Changed ${since}: ${listed(what) || 'the node'}` };
}

const count = (plan: ForkPlan) => new Set(plan.reused.map(({ node }) => node)).size;

/** Whether there is anything that a run of only what is stale would do. */
export const hasStale = (plan: ForkPlan): boolean => plan.stale.length > 0 || plan.waiting;

/** What it would cost and what it takes over, if it takes any: `≈ $0.01, 3 reused`. */
export function forecastOf(plan: ForkPlan): string {
  const cost = formatUsd(plan.again.reduce((sum, step) => addDecimal(sum, step.usd), '0'));
  const unknown = plan.waiting ? ' and what is new' : '';
  const kept = count(plan);
  return `≈ ${cost}${unknown}${kept > 0 ? `, ${kept} reused` : ''}`;
}

/** What the last run of all cost, as what another one will: `≈ $0.02`; null where it did not come to its end. */
export function againCost({ reused, again }: ForkPlan, status: RunStatus | null): string | null {
  if (status !== 'completed') return null;
  const sum = [...reused, ...again].reduce((before, step) => addDecimal(before, step.usd), '0');
  return `≈ ${formatUsd(sum)}`;
}

/** The whole of it, for who hovers. */
export function planWords(plan: ForkPlan, nameOf: NameOf): string {
  const names = (ids: readonly string[]) => listed([...new Set(ids)].map(nameOf));
  const again = plan.again.map(({ node }) => node).filter((node) => !plan.asks.includes(node));
  return [
    again.length > 0 ? `Runs again: ${names(again)}.` : '',
    plan.asks.length > 0 ? `Asks again: ${names(plan.asks)}.` : '',
    plan.reused.length > 0 ? `Taken over: ${names(plan.reused.map(({ node }) => node))}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** What people call the ways of signing, the policies and the refusals. */

import { beforeIt } from '../../run/waits/queue.ts';
import type { Delivery, Trigger } from '../../api/http/runs/triggers.ts';

export interface Signature {
  value: string;
  label: string;
  /** What to do with the secret. */
  text: string;
  /** Whether the sender makes the secret, so that it is asked for. */
  given: boolean;
}

export const signatures: readonly Signature[] = [
  {
    value: 'standard',
    label: 'Standard Webhooks',
    text: 'Give the secret to the sender, as it stands, with whsec_.',
    given: false,
  },
  {
    value: 'github',
    label: 'GitHub',
    text: 'Put the secret into the webhook’s settings, with the content type application/json.',
    given: false,
  },
  {
    value: 'stripe',
    label: 'Stripe',
    text: 'Stripe makes the secret when you add the address there: paste it here.',
    given: true,
  },
  {
    value: 'slack',
    label: 'Slack',
    text: 'Paste the signing secret of your Slack app.',
    given: true,
  },
  {
    value: 'custom',
    label: 'Another sender (HMAC in a header)',
    text: 'Both sides know the secret; the sender signs the body with it.',
    given: false,
  },
];

export const policies = [
  { value: 'once', label: 'Start once for all of them' },
  { value: 'skip', label: 'Leave them out' },
  { value: 'all', label: 'Start once for each (the last 100)' },
];

const WAITS = [2, 5, 10, 25];

/** When a caller is answered: at once, or with the result within so many seconds. */
export const answersFor = (now: number) => [
  { value: '0', label: 'At once, without the result' },
  ...[...new Set([...WAITS, ...(now > 0 ? [now] : [])])]
    .sort((one, other) => one - other)
    .map((seconds) => ({
      value: String(seconds),
      label: `With the result, if it is there within ${String(seconds)} ${seconds === 1 ? 'second' : 'seconds'}`,
    })),
];

export const signatureOf = (trigger: Trigger): Signature | undefined =>
  signatures.find(({ value }) => value === trigger.config['signature']);

const STATES: Record<string, string> = {
  received: 'Waits to start',
  started: 'Started',
  refused: 'Refused',
};

/** How a delivery fared, in a line. */
export function toldOf(delivery: Delivery): string {
  const told = [STATES[delivery.state] ?? delivery.state];
  if (typeof delivery.queued_behind === 'number')
    told.push(`its run is queued: ${beforeIt(delivery.queued_behind)}`);
  if (delivery.reason) told.push(delivery.reason);
  if (delivery.repeats > 0)
    told.push(`came ${String(delivery.repeats)} more ${delivery.repeats === 1 ? 'time' : 'times'}`);
  if (delivery.differed) told.push('with another content, which was left out');
  return told.join(', ');
}

/** Fields and their expressions without empty rows; the last of a name counts. */
export const mappingOf = (rows: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(
    rows.map(([name, text]) => [name.trim(), text.trim()]).filter(([name, text]) => name && text),
  );

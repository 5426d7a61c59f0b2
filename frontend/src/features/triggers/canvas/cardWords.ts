/** How a trigger fares, in the words of its card. */

import type { TriggerCard } from '../../../api/http/runs/triggers.ts';
import { formatRelative } from '../../../ui/format/format.ts';

const KINDS: Record<string, string> = {
  webhook: 'webhook',
  schedule: 'schedule',
  event: 'event',
};

/** `off`, when it is due next, when it last started a run. */
export function faresOf(card: TriggerCard, now: Date): string {
  if (!card.on) return 'off';
  if (card.next_at) return `next ${formatRelative(new Date(card.next_at), now)}`;
  if (card.last_at) return `last ${formatRelative(new Date(card.last_at), now)}`;
  if (card.kind === 'event') return 'on, nothing happened yet';
  return card.kind === 'webhook' ? 'on, not called yet' : 'on';
}

/** What was refused of late; nothing where nothing was. */
export const refusedOf = ({ refused }: TriggerCard): string =>
  refused > 0 ? `${refused >= 100 ? '100 or more' : String(refused)} refused in 24 hours` : '';

/** The whole of a card in a line, for ears and lists. */
export function lineOf(card: TriggerCard, now: Date): string {
  const told = [card.name, KINDS[card.kind] ?? 'trigger', card.on ? 'on' : 'off'];
  if (card.next_at) told.push(`next ${formatRelative(new Date(card.next_at), now)}`);
  told.push(
    card.last_at
      ? `last started a run ${formatRelative(new Date(card.last_at), now)}`
      : 'has started nothing yet',
  );
  const refused = refusedOf(card);
  return (refused ? [...told, refused] : told).join(', ');
}

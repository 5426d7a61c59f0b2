import type { RunSummary } from '../../../api/types/types.ts';
import { belowText, rejectedBelow, rejectionReason } from '../../../run/ended/rejected.ts';
import { personName } from '../../inbox/names.ts';
import { beforeIt } from '../../../run/waits/queue.ts';
import { capital, formatUntil } from '../../../ui/format/format.ts';

/** What a run waits for or why it ended, in one line. */
export function noteOf({
  queued_behind: behind,
  waiting_for: waiting,
  waits_until: until,
  error,
  rejected_by: by,
}: Pick<
  RunSummary,
  'queued_behind' | 'waiting_for' | 'waits_until' | 'error' | 'rejected_by'
>): string {
  if (typeof behind === 'number') return `Queued: ${beforeIt(behind)}`;
  if (waiting.length > 0) return capital(waiting.join(', '));
  if (until) return `Sleeps until ${formatUntil(new Date(until), new Date())}`;
  if (!error) return '';
  const step = error.label ?? error.node;
  const name = by ? personName(by) : null;
  const below = rejectedBelow(error);
  const said =
    below !== null
      ? `${belowText(name)}: ${below}`
      : name !== null
        ? whoSaid(error.message, name)
        : error.message;
  return step ? `${step}: ${said}` : capital(said);
}

/** What a log says of a rejection, with who it was: `rejected by Rita: too much`. */
const whoSaid = (message: string, name: string): string =>
  `rejected by ${name}: ${rejectionReason(message)}`;

import type { Person } from '../../../../api/types/types.ts';
import { personName } from '../../names.ts';

interface Started {
  started_by: Person | string | null;
  source?: string | null;
  trigger?: { name: string } | null;
}

const KINDS: Record<string, string> = {
  webhook: 'the webhook',
  schedule: 'the schedule',
  event: 'the event trigger',
};

/** Who or what started a run, in words: a person, or the trigger by its name. */
export function starterOf(run: Started): string {
  if (!run.trigger) return personName(run.started_by);
  const kind = KINDS[run.source ?? ''] ?? 'the trigger';
  return run.trigger.name ? `${kind} “${run.trigger.name}”` : `${kind} that is gone`;
}

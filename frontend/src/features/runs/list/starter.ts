import type { RunSummary } from '../../../api/types/types.ts';
import { personName } from '../../inbox/names.ts';

const KINDS: Record<string, string> = {
  webhook: 'the webhook',
  schedule: 'the schedule',
  event: 'the event trigger',
};

/** Who or what started a run, in words: a person, or the trigger by its name. */
export function starterOf(run: Pick<RunSummary, 'started_by' | 'source' | 'trigger'>): string {
  if (!run.trigger) return personName(run.started_by);
  const kind = KINDS[run.source ?? ''] ?? 'the trigger';
  return run.trigger.name ? `${kind} “${run.trigger.name}”` : `${kind} that is gone`;
}

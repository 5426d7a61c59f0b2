/** Who said no, where a run ended as a person rejected something. */

import type { InterruptView, RunView } from '../fold/model.ts';
import { deciderOf, type PersonOf } from '../values/people.ts';

/** The question whose answer ended a run: a no at the step that failed; undefined where none did. */
function refusalOf({
  error,
  interrupts,
}: Pick<RunView, 'error' | 'interrupts'>): InterruptView | undefined {
  if (error?.code !== 'ApprovalRejected') return undefined;
  return Object.values(interrupts).findLast(
    ({ node, decision }) => decision === 'rejected' && (!error.node || node === error.node),
  );
}

/** “by Ann”, perhaps in somebody's place; null where no person said no. */
export function rejectedBy(
  view: Pick<RunView, 'error' | 'interrupts'>,
  personOf: PersonOf,
): string | null {
  const refusal = refusalOf(view);
  if (!refusal?.by) return null;
  return `by ${deciderOf(refusal.by, refusal.standsFor ?? undefined, personOf)}`;
}

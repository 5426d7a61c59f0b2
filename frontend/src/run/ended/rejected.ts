/** Who said no, where a run ended as a person rejected something. */

import type { RunEvent, WireError } from '../fold/events.ts';
import type { ActivationView, InterruptView, RunView } from '../fold/model.ts';
import { deciderOf, type PersonOf } from '../values/people.ts';
import { spaced } from './failureWords.ts';

/** What the log says where nobody decided in time: that is a failure. */
const UNDECIDED = 'nobody decided in time';

/** Whether somebody said no, here or in a workflow that was called: a decision and not a failure. */
export const isRejection = (error: WireError | null | undefined): boolean =>
  (error?.code === 'ApprovalRejected' && error.message !== UNDECIDED) ||
  (error?.code === 'SubgraphFailed' && rejectedBelow(error) !== null);

/** Why somebody said no, beside words that say that they did. */
export const rejectionReason = (message: string): string => message.replace(/^rejected: /, '');

/** Why somebody said no, here or in a workflow that was called. */
export const reasonOf = (error: WireError): string =>
  rejectedBelow(error) ?? rejectionReason(error.message);

/** How a step begins to say that a workflow it called failed, up to the code with which that did. */
const CALLED = /^graph '[^']*' ended as failed: (SubgraphFailed|ApprovalRejected): /;

/**
 * Why somebody said no in a workflow that a step had called; null where it failed for another reason. Storey by
 * storey: what stands further on in a message may be anybody's words.
 */
export function rejectedBelow({ code, message }: WireError): string | null {
  if (code !== 'SubgraphFailed') return null;
  let said = message;
  for (let found = CALLED.exec(said); found; found = CALLED.exec(said)) {
    said = said.slice(found[0].length);
    if (found[1] === 'ApprovalRejected') return said === UNDECIDED ? null : rejectionReason(said);
  }
  return null;
}

/** That somebody said no there, with who it was where that is known. */
export const belowText = (name: string | null): string =>
  `rejected${name === null ? '' : ` by ${name}`} in the workflow it called`;

/** How a step is said to stand: one that ended as somebody said no is rejected. */
export const standingOf = ({
  status,
  error,
}: Pick<ActivationView, 'status' | 'error'>): ActivationView['status'] | 'rejected' =>
  status === 'failed' && isRejection(error) ? 'rejected' : status;

/** The type of an event in words: “Run failed”; “Run rejected” where somebody said no. */
export function eventName(event: RunEvent): string {
  const words = spaced(event.type);
  const isNo = 'error' in event && isRejection(event.error);
  return isNo ? words.replace(/failed$/, 'rejected') : words;
}

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

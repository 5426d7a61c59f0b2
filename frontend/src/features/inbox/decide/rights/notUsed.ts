import type { Interrupt } from '../../../../api/types/types.ts';

type Refused = Pick<Interrupt, 'held' | 'away' | 'can_decide' | 'status' | 'my_decision'>;

/** Whether the viewer's decision was refused after it was held, and nobody has decided since. */
export const isUnused = (item: Refused): boolean =>
  item.held?.state === 'refused' && item.status === 'open' && item.my_decision === null;

/** Why a decision that was held did not count, as a sentence. */
export function unusedText({ held, away }: Pick<Interrupt, 'held' | 'away'>): string {
  if (held === null) return '';
  if (held.code === 'ContentChanged')
    return 'Its content changed before your decision was sent, so nothing was decided.';
  const name = held.stands_for;
  const isBack = name && !away.some(({ absent }) => absent.name === name);
  if (held.code === 'NotEligible' && isBack)
    return `${name} is back, so yours no longer counts; ${name} decides.`;
  return `${held.detail.charAt(0).toUpperCase()}${held.detail.slice(1)}.`;
}

/** What such a decision was, in a title. */
export const unusedTitle = ({ held, can_decide: can }: Refused): string =>
  can
    ? 'Decide again'
    : `Your ${held?.decision === 'rejected' ? 'rejection' : 'approval'} was not used`;

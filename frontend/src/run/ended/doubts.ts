/** What a run that was cancelled leaves unknown: calls that were sent, of which nobody said whether they happened. */

import type { RunView } from '../fold/model.ts';

type Asked = Pick<RunView, 'interrupts'>;
type Label = (node: string) => string;

/** The labels of the nodes whose calls are in doubt, each once; empty where all is known. */
export function doubtsOf({ interrupts }: Asked, label: Label): string[] {
  const unknown = Object.values(interrupts).filter(
    ({ kind, outcome }) => kind === 'in_doubt' && outcome !== 'answered',
  );
  return [...new Set(unknown.map(({ node }) => label(node)))];
}

/** What to say of a cancelled run: what is not known of it, else why it was cancelled. */
export function cancelledWords(view: Asked & Pick<RunView, 'ending'>, label: Label): string {
  const reason = view.ending?.reason;
  const why = reason && reason !== 'cancelled' ? reason.replaceAll('_', ' ') : '';
  const doubts = doubtsOf(view, label);
  if (doubts.length === 0) return why || 'No reason was given.';
  const unknown = `Nobody said whether ${doubts.join(' and ')} happened. Look there before you run it again.`;
  return why ? `${why}. ${unknown}` : unknown;
}

/** What cancelling now leaves open, for the question before it; empty where nothing is in doubt. */
export function warningOf(view: Asked, label: Label): string {
  const doubts = doubtsOf(view, label);
  return doubts.length === 0
    ? ''
    : `Whether ${doubts.join(' and ')} happened stays unknown, and nobody is asked any more.`;
}

/** Calls that were sent and of which nobody knew whether they happened: what was said of them, and what stays unknown. */

import type { InterruptView, RunView } from '../fold/model.ts';
import { deciderOf, type PersonOf } from '../values/people.ts';

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

/** The call of a question, by its tool or by method and address without the query. */
function callOf({ tool, method, url }: InterruptView['request']): string {
  if (typeof tool === 'string' && tool) return `“${tool}”`;
  return typeof method === 'string' && typeof url === 'string'
    ? `${method} ${url.split('?')[0]}`
    : 'its call';
}

/** What a person said of a call in doubt, as a sentence without its full stop; null where nobody did. */
export function saidOfDoubt(interrupt: InterruptView, personOf: PersonOf): string | null {
  const { kind, outcome, decision, by, standsFor, request } = interrupt;
  if (kind !== 'in_doubt' || outcome !== 'answered') return null;
  const call = callOf(request);
  if (by === null) return `The answer of ${call} came after all`;
  const who = deciderOf(by, standsFor ?? undefined, personOf);
  const wasSent = request.reason === 'unknown_outcome';
  if (decision === 'skip')
    return `${who} skipped this step${wasSent ? `: whether ${call} happened stays unknown` : ' instead of trying it again'}`;
  if (decision === 'happened') return `${who} said that ${call} happened`;
  return `${who} asked to ${wasSent ? `send ${call}` : 'try this step'} again`;
}

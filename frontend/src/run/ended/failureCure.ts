/** Where a person goes to put right what a run failed of. */

import type { WireError } from '../fold/events.ts';

/** A page with what to do there; `why` says what is to be known before. */
export interface FailureCure {
  to: string;
  label: string;
  why: string;
}

interface Place {
  /** The workflow; null where it is gone. */
  graph: string | null;
  node: string | null;
}

/** What the list of addresses in the settings opens; an answer that is too large stays refused. */
const LISTED = /is not on the allow-list|an address that is not public/;

/** Whether a list of ours refused the address, so that nothing went there. */
export const isListed = ({ code, message }: WireError): boolean =>
  code === 'EgressRefused' && LISTED.test(message);

/** The page on which the cause of a failure can be put right; null where none is known. */
export function failureCure(error: WireError, at: Place): FailureCure | null {
  const { code } = error;
  if (isListed(error))
    return {
      to: '/settings/workspace',
      label: 'Open the list of addresses',
      why: 'An admin can allow it in Settings → Workspace, under “Private addresses that may be called”.',
    };
  if (
    code === 'WorkspaceBudgetExceeded' ||
    code === 'GraphBudgetExceeded' ||
    code === 'TriggerBudgetExceeded'
  )
    return { to: '/settings/budgets', label: 'Raise the budget', why: '' };
  if (at.graph === null) return null;
  const editor = `/workflows/${at.graph}${at.node === null ? '' : `?node=${encodeURIComponent(at.node)}`}`;
  if (code === 'NodeBudgetExceeded')
    return { to: editor, label: 'Raise the step’s budget', why: '' };
  if (code === 'RunBudgetExceeded')
    return {
      to: `/workflows/${at.graph}`,
      label: 'Raise the budget',
      why: 'What one run may spend is set in the settings of the workflow.',
    };
  if (code === 'MissingReference') return { to: editor, label: 'Edit workflow', why: '' };
  return null;
}

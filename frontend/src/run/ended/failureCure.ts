/** Where a person goes to put right what a run failed of. */

import type { WireError } from '../fold/events.ts';
import { isObject } from '../values/json.ts';

/** A page with what to do there, if there is one; `why` says what is to be known before. */
export interface FailureCure {
  to: string | null;
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
  if (isListed(error)) return addressCure(error, at);
  if (code.startsWith('Provider') && isKeyRefused(error))
    return {
      to: '/settings/models',
      label: 'Open the models',
      why: 'The provider does not accept the key. An admin can set another one there.',
    };
  if (
    code === 'WorkspaceBudgetExceeded' ||
    code === 'GraphBudgetExceeded' ||
    code === 'TriggerBudgetExceeded'
  )
    return { to: '/settings/budgets', label: 'Raise the budget', why: '' };
  const editor = editorOf(at);
  if (at.graph === null || editor === null) return null;
  if (code === 'NodeBudgetExceeded')
    return {
      to:
        at.node === null
          ? editor
          : `${editor}&field=budget.${isOfTokens(error) ? 'max_tokens' : 'max_cost_usd'}`,
      label: 'Raise the step’s budget',
      why: '',
    };
  if (code === 'RunBudgetExceeded')
    return {
      to: `/workflows/${at.graph}?field=limits.${isOfTokens(error) ? 'max_token_budget' : 'budget_usd'}`,
      label: 'Raise the budget',
      why: 'What one run may spend is set in the settings of the workflow.',
    };
  if (code === 'MissingReference') return { to: editor, label: 'Edit workflow', why: '' };
  return null;
}

/** Whether it was the limit in tokens that left no room, of a budget that may have both. */
function isOfTokens({ detail }: WireError): boolean {
  if (!isObject(detail) || typeof detail.limit_tokens !== 'number') return false;
  if (typeof detail.limit_usd !== 'string') return true;
  const counts = [detail.spent_tokens, detail.held_tokens, detail.asked_tokens];
  return counts.reduce<number>((sum, each) => sum + Number(each ?? 0), 0) > detail.limit_tokens;
}

function editorOf({ graph, node }: Place): string | null {
  if (graph === null) return null;
  return `/workflows/${graph}${node === null ? '' : `?node=${encodeURIComponent(node)}`}`;
}

/** This machine as messages name it: of logs that do not say yet who can open an address. */
const OWN_MACHINE = /'(localhost|[^']+\.localhost|127\.[\d.]+|::1)'/;

/** Where a refused address is opened, if anybody can; else the step is given another one. */
function addressCure({ detail, message }: WireError, at: Place): FailureCure {
  const told = isObject(detail) ? detail.opened_by : undefined;
  const by = told ?? (OWN_MACHINE.test(message) ? 'operator' : 'workspace');
  if (by === 'workspace')
    return {
      to: '/settings/workspace',
      label: 'Open the list of addresses',
      why: 'An admin can allow it in Settings → Workspace, under “Private addresses that may be called”.',
    };
  return {
    to: editorOf(at),
    label: 'Change the address',
    why:
      by === 'operator'
        ? 'No workspace can allow it: it is for whoever runs the server, in the server’s settings (EGRESS_ALLOW). Or give the step another address.'
        : 'Nobody can allow this address. Give the step another one.',
  };
}

/** Whether a model's provider refused the key, or got none. */
const isKeyRefused = ({ detail }: WireError): boolean =>
  isObject(detail) && (detail.status === 401 || detail.status === 403);

import { ApiError, api } from '../../../api/http/client.ts';
import type { ForkPlan, ForkPoint, RunDetail } from '../../../api/types/types.ts';
import { isObject, type Json } from '../../../run/values/json.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { targetWords } from '../bulk/words.ts';

/** What a retry runs: the document that the run used, or the draft as it is now. */
export type RetryVersion = 'same' | 'draft';
/** An approval was given before the failed node: with another document one starts there or before. */
export interface TooLate {
  earliest: ForkPoint;
}
export type Retried = { next: RunDetail } | TooLate | null;

/** What the document that the run used is called. */
export const versionOf = (run: Pick<RunDetail, 'is_draft' | 'version'>): string =>
  run.is_draft ? 'the draft as it ran' : `version ${run.version ?? '?'} as it ran`;

/** What was called: method and host of a request, else the tool. */
function sentTo(tool: string, sent: Json | undefined): string {
  const { method, url } = isObject(sent) ? sent : {};
  return typeof method === 'string' && typeof url === 'string' && URL.canParse(url)
    ? targetWords({ method, target: new URL(url).host })
    : targetWords({ method: '', target: tool });
}

/** What the dialog says of calls that would be made a second time. */
export function resentText(plan: ForkPlan, label: (id: string) => string): string {
  const calls = plan.resent
    .filter(({ outcome }) => outcome !== 'failed')
    .map(
      ({ tool, node, outcome, arguments: sent }) =>
        `${sentTo(tool, sent)} at “${label(node)}”${outcome === 'unknown' ? ' (outcome unknown)' : ''}`,
    );
  return calls.length > 0
    ? `This run has already sent ${calls.join(', ')}. A retry sends that again.`
    : 'A call that failed is made again. Nobody knows whether it had an effect.';
}

/** Go on from the failed node; asks first where something outside would be changed again. Gives the new run, null after a no. */
export async function retryRun(
  id: string,
  version: RetryVersion,
  label: (id: string) => string,
  ask: typeof confirm = confirm,
): Promise<Retried> {
  const send = async (resend: boolean): Promise<Retried> => {
    const body = { ...(version === 'same' ? {} : { version }), ...(resend ? { resend } : {}) };
    try {
      return { next: await api.post<RunDetail>(`runs/${id}/retry/`, body) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'ForkAfterApproval')
        return { earliest: error.extra.earliest as ForkPoint };
      if (error.code !== 'ForkResends' || resend) throw error;
      const text = resentText(error.extra.plan as ForkPlan, label);
      return (await ask({
        title: 'Send again?',
        text,
        confirm: 'Send again and retry',
        danger: true,
      }))
        ? send(true)
        : null;
    }
  };
  return send(false);
}

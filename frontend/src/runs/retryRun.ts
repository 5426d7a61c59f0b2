import { ApiError, api } from '../api/client.ts';
import type { ForkPlan, RunDetail } from '../api/types.ts';
import { confirm } from '../ui/confirm.tsx';

/** What the dialog says of calls that would be made a second time. */
export function resentText(plan: ForkPlan, label: (id: string) => string): string {
  const calls = plan.resent.filter(({ outcome }) => outcome !== 'failed').map(({ tool, node, outcome }) => `${tool} at ${label(node)}${outcome === 'unknown' ? ' (outcome unknown)' : ''}`);
  return `This run has already sent ${calls.join(', ')}. A retry sends that again.`;
}

/** Go on from the failed node; asks first where something outside would be changed again. Gives the new run, null after a no. */
export async function retryRun(id: string, label: (id: string) => string, ask: typeof confirm = confirm): Promise<RunDetail | null> {
  try {
    return await api.post<RunDetail>(`runs/${id}/retry/`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'ForkResends') throw error;
    const text = resentText(error.extra.plan as ForkPlan, label);
    if (!(await ask({ title: 'Send again?', text, confirm: 'Send again and retry', danger: true }))) return null;
    return api.post<RunDetail>(`runs/${id}/retry/`, { resend: true });
  }
}

/** Running only what is stale: a run of the draft that takes over what the last one holds. */

import { api, ApiError } from '../../../../api/http/client.ts';
import type { ForkPlan, RunSummary } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { confirm } from '../../../../ui/confirm.tsx';
import { resentText } from '../../../runs/control/retryRun.ts';
import { begin, saveForRun, useTesting } from '../testing.ts';
import { trialOf } from '../trials/trials.ts';

/** Start it and look at it; asks first where something outside would be changed again. */
export async function runStale(ask: typeof confirm = confirm): Promise<void> {
  const { whole, starting } = useTesting.getState();
  if (whole === null || starting) return;
  await begin(async () => {
    await saveForRun();
    return send(whole, false, ask);
  });
}

async function send(
  runId: string,
  resend: boolean,
  ask: typeof confirm,
): Promise<RunSummary | null> {
  const { nodes } = useEditor.getState().records;
  const { breakpoints } = trialOf(nodes);
  try {
    return await api.post<RunSummary>(`runs/${runId}/fork/`, {
      stale: true,
      ...(breakpoints ? { breakpoints } : {}),
      ...(resend ? { resend } : {}),
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'ForkResends' || resend) throw error;
    const text = resentText(error.extra.plan as ForkPlan, (id) => nodes.get(id)?.label || id);
    const yes = await ask({
      title: 'Send again?',
      text,
      confirm: 'Send again and run',
      danger: true,
    });
    return yes ? send(runId, true, ask) : null;
  }
}

/** Running one node alone: on what it found last, or on what one writes. */

import { api, ApiError } from '../../../../api/http/client.ts';
import type { JsonObject, RunStart, RunSummary } from '../../../../api/types/types.ts';
import { confirm } from '../../../../ui/confirm.tsx';

/** What a node found in a run; null where the run has not come to it. */
export async function givenTo(runId: string | null, node: string): Promise<JsonObject | null> {
  if (runId === null) return null;
  try {
    return await api.get<JsonObject>(`runs/${runId}/given/${encodeURIComponent(node)}/`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Start the node alone; asks first where it would change something outside. Gives null after a no. */
export async function startAlone(
  graphId: string,
  body: RunStart,
  ask: typeof confirm = confirm,
): Promise<RunSummary | null> {
  try {
    return await api.post<RunSummary>(`graphs/${graphId}/runs/`, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'OnlySends' || body.accept) throw error;
    const yes = await ask({
      title: 'This node acts outside',
      text: `${error.message}. Run alone, it does so for real, and nothing before it has checked what it is given.`,
      confirm: 'Run it for real',
      danger: true,
    });
    return yes ? startAlone(graphId, { ...body, accept: true }, ask) : null;
  }
}

import { notifications } from '@mantine/notifications';
import type { Action } from '../../../actions/registry.ts';
import { api, messageOf } from '../../../api/http/client.ts';
import { rowsOf } from '../../../api/http/queries.ts';
import type { Page, RunStatus, RunSummary } from '../../../api/types/types.ts';
import { confirm } from '../../../ui/confirm.tsx';

/** What a run is in that can still be stopped. */
const stoppable: readonly RunStatus[] = ['queued', 'running', 'waiting'];

/** The shortcut that stops a run, wherever one can be stopped. */
export const STOP_KEYS = 'Mod+.';

/** The action that stops a run, for the registry of the page that shows it. */
export const stopAction = (
  more: Pick<Action, 'id' | 'label' | 'group' | 'enabled' | 'run'>,
): Action => ({ keys: [STOP_KEYS], also: 'cancel abort halt', whileTyping: true, ...more });

/** Ask before a run is cancelled; `warning` says what is lost with this one. */
export const askToStop = (title = 'Cancel this run?', warning = ''): Promise<boolean> =>
  confirm({
    title,
    text: `${warning} Calls under way may finish within ten seconds. Finished work is kept; open questions are closed. This cannot be undone.`.trim(),
    confirm: 'Cancel the run',
    cancel: 'Keep running',
    danger: true,
  });

/** Those of these runs that are a person's own test runs of a draft, in their order. */
export function testRunsOf(runs: readonly RunSummary[], userId: string): RunSummary[] {
  const mine = ({ started_by: by }: RunSummary) => typeof by === 'object' && by?.id === userId;
  return runs.filter((run) => run.is_draft && run.parent_run === null && mine(run));
}

/** The newest of these runs that is a person's own test run of a draft; null when there is none. */
export const testRunOf = (runs: readonly RunSummary[], userId: string): RunSummary | null =>
  testRunsOf(runs, userId)[0] ?? null;

/** Cancel the person's test run of a graph that is under way, if they say yes. Gives its id; null when nothing was cancelled. */
export async function stopTestRun(
  graph: string,
  userId: string,
  ask: typeof askToStop = askToStop,
): Promise<string | null> {
  try {
    const run = testRunOf(
      rowsOf(
        await api.get<Page<RunSummary> | RunSummary[]>('runs/', {
          graph,
          status: stoppable.join(','),
        }),
      ),
      userId,
    );
    if (!run) {
      notifications.show({
        title: 'Nothing to stop',
        message: 'You have no test run of this workflow under way.',
      });
      return null;
    }
    if (!(await ask('Cancel your test run?'))) return null;
    await api.post(`runs/${run.id}/cancel/`, { reason: 'stopped in the editor' });
    notifications.show({
      title: 'Test run cancelled',
      message: 'Finished work is kept; its page shows how far it came.',
    });
    return run.id;
  } catch (error) {
    notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) });
    return null;
  }
}

import type { BulkJob, BulkPreview, BulkRun } from '../../../api/http/runs/bulk.ts';

/** How many runs, in words: `1 run`, `48 runs`. */
export const countedRuns = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'run' : 'runs'}`;

/** What a run is called: by its title, else by its workflow and the beginning of its id, as in lists. */
export const runName = ({ title, graph, id }: Pick<BulkRun, 'title' | 'graph' | 'id'>): string =>
  title || [graph, `run ${id.slice(0, 8)}`].filter(Boolean).join(', ');

const KINDS: Record<string, string> = {
  function: 'its code',
  http: 'an HTTP request',
  model: 'a model',
  run: 'another workflow',
  tool: 'a tool',
};

/** What is called again: method and host, else the tool by its name. */
export const targetWords = ({ method, target }: { method: string; target: string }): string =>
  method ? `${method} ${target}` : (KINDS[target] ?? `“${target}”`);

/** With how many runs something is done: without leave none that sends again what was sent. */
export const willDo = (
  { included, resends }: Pick<BulkPreview, 'included' | 'resends'>,
  resend: boolean,
): number => (resend ? included : included - resends);

/** What a job does, with how many runs. */
export function jobName({ action, count, version }: BulkJob): string {
  const verb = action === 'retry' ? 'Retry' : 'Cancel';
  const draft = action === 'retry' && version === 'draft' ? ' with the draft' : '';
  return `${verb} ${countedRuns(count)}${draft}`;
}

/** How a job stands, as a title: what it does, how far it came, what it did. */
export function jobTitle({ action, status, count, done, pending }: BulkJob): string {
  const [doing, did] = action === 'retry' ? ['Retrying', 'retried'] : ['Cancelling', 'cancelled'];
  const far = `after ${(count - pending).toLocaleString('en')} of ${count.toLocaleString('en')}`;
  if (status === 'paused') return `Paused ${far}`;
  if (status === 'stopped') return `Stopped ${far}`;
  if (status === 'ended') return done > 0 ? `${countedRuns(done)} ${did}` : `Nothing was ${did}`;
  return `${doing} ${countedRuns(count)}`;
}

const STATES: Record<string, string> = {
  running: 'Under way',
  paused: 'Paused',
  stopped: 'Stopped',
  ended: 'Done',
};
export const jobState = (status: string): string => STATES[status] ?? status;

/** Whether a job does nothing any more. */
export const isOver = ({ status }: BulkJob): boolean => status === 'ended' || status === 'stopped';

/** What became of a run of a job. */
export const resultWords: Record<string, string> = {
  done: 'Done',
  skipped: 'Left as it was',
  refused: 'Could not be',
  pending: 'To go',
};

/** How many of the runs that go on for others are not over, how many failed again, and to how many a person said no. */
export function outcomesOf({ new_runs: runs = {} }: BulkJob) {
  const { completed = 0, failed = 0, timeout = 0, cancelled = 0, rejected = 0 } = runs;
  const all = Object.values(runs).reduce((sum, count) => sum + count, 0);
  return {
    completed,
    failed: failed + timeout,
    rejected,
    open: all - completed - failed - timeout - cancelled - rejected,
  };
}

/** What came of trying again: ` Of the new runs 2 completed, 1 failed again.` */
function outcomeText(job: BulkJob): string {
  const { completed, failed, rejected, open } = outcomesOf(job);
  const parts = [
    completed > 0 ? `${completed} completed` : '',
    failed > 0 ? `${failed} failed again` : '',
    rejected > 0 ? `${rejected} rejected` : '',
    open > 0 ? `${open} not over yet` : '',
  ].filter(Boolean);
  return job.action === 'retry' && parts.length > 0 ? ` Of the new runs ${parts.join(', ')}.` : '';
}

/** How far a job is, as one sentence. */
export function jobSentence(job: BulkJob): string {
  const verb = job.action === 'retry' ? 'tried again' : 'cancelled';
  const parts = [`${countedRuns(job.done)} ${verb}`];
  if (job.skipped > 0) parts.push(`${job.skipped} left as they were`);
  if (job.refused > 0) parts.push(`${job.refused} could not be`);
  if (job.pending > 0) parts.push(`${job.pending} ${isOver(job) ? 'not reached' : 'to go'}`);
  const out = job.left_out > 0 ? ` ${countedRuns(job.left_out)} left out from the start.` : '';
  return `${parts.join(', ')}.${outcomeText(job)}${out}`;
}

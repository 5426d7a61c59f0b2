import { expect, it } from 'vitest';
import { nodeRunView } from './canvasViews.ts';
import type { RunEvent } from '../../../run/fold/events.ts';
import { foldTo } from '../../../run/fold/view.ts';

const log = (...events: Record<string, unknown>[]) =>
  events.map(
    (event, place) =>
      ({ at: `2026-11-21T10:00:0${place}Z`, ...event, seq: place + 1 }) as unknown as RunEvent,
  );
const pay = { node: 'pay', key: 'pay#1' };
const undo = { node: 'pay', key: 'pay[undo1]#1', tool: 'refund' };
const started = { type: 'NodeStarted', attempt: 1, max_attempts: 1 };
const paid = [
  { type: 'RunStarted', graph_id: 'g' },
  { ...started, ...pay },
  { type: 'NodeCompleted', ...pay, output: 1 },
];
const doc = { id: 'pay', type: 'function' };

it('an undo is listed while it runs and when it ended, and marks its node without running it again (C51)', () => {
  const events = log(
    ...paid,
    { type: 'CompensationStarted', ...undo },
    { type: 'StepRecorded', ...undo, path: '0', attempt: 1, kind: 'now' },
    { type: 'CompensationRun', ...undo, ok: true },
  );

  const running = foldTo(events, 5);
  const done = foldTo(events, 6);

  expect(running.undos).toMatchObject([{ of: 'pay#1', tool: 'refund', status: 'running' }]);
  expect(done.undos).toMatchObject([{ status: 'completed', error: null }]);
  expect(done.nodes.pay).toMatchObject({ visits: 1, status: 'completed' });
  expect(done.live).toEqual([]);
  expect(nodeRunView(running, doc, {}, 0)?.undo).toBe('running');
  expect(nodeRunView(done, doc, {}, 0)?.undo).toBe('completed');
});

it('a card of a clock that lags behind the server has run for no time, not for less', () => {
  const view = foldTo(log(...paid.slice(0, 2)), 2);

  expect(nodeRunView(view, doc, {}, 0)?.durationMs).toBe(0);
});

it('a card whose workflow was rejected by somebody says so without codes', () => {
  const message = "graph 'kid' ended as failed: ApprovalRejected: rejected: too much";
  const error = { code: 'SubgraphFailed', message, node: 'pay' };
  const view = foldTo(
    log(...paid.slice(0, 2), { type: 'NodeFailed', ...pay, error, edges: [] }),
    3,
  );

  const card = nodeRunView(view, doc, {}, 0);
  expect([card?.status, card?.error]).toEqual(['rejected', null]);
  expect(card?.refusal).toBe('too much (rejected in the workflow it called)');
});

it('an undo that failed says why', () => {
  const view = foldTo(
    log(
      ...paid,
      { type: 'CompensationStarted', ...undo },
      { type: 'CompensationRun', ...undo, ok: false, error: { code: 'E', message: 'closed' } },
    ),
    9,
  );

  expect(view.undos).toMatchObject([{ status: 'failed', error: { message: 'closed' } }]);
  expect(nodeRunView(view, doc, {}, 0)?.undo).toBe('failed');
});

it('a circuit is open from its opening to its closing, and refuses in between (C28)', () => {
  const events = log(
    { type: 'RunStarted', graph_id: 'g' },
    { ...started, ...pay },
    { type: 'CircuitOpened', ...pay, target: 'bank', failures: 5 },
    {
      type: 'NodeFailed',
      ...pay,
      error: { code: 'CircuitOpen', message: 'open', detail: { target: 'bank', probe_at: 99 } },
    },
    { type: 'CircuitClosed', ...pay, target: 'bank' },
  );

  expect(foldTo(events, 3).circuits.pay).toEqual({
    state: 'open',
    target: 'bank',
    refused: 0,
    probeAt: null,
  });
  expect(foldTo(events, 4).circuits.pay).toEqual({
    state: 'open',
    target: 'bank',
    refused: 1,
    probeAt: 99,
  });
  expect(nodeRunView(foldTo(events, 4), doc, {}, 0)?.circuitOpen).toBe(true);
  expect(foldTo(events, 5).circuits.pay?.state).toBe('closed');
});

it('every refusal is counted, that of a later visit too (C28)', () => {
  const refused = {
    type: 'NodeFailed',
    ...pay,
    error: { code: 'CircuitOpen', message: 'open', detail: { target: 'bank' } },
  };
  const again = { node: 'pay', key: 'pay#2' };
  const events = log(
    { type: 'RunStarted', graph_id: 'g' },
    { ...started, ...pay },
    refused,
    { ...started, ...again },
    { ...refused, ...again, error: { code: 'ToolFailed', message: 'no' } },
    { ...started, ...again, key: 'pay#3' },
    { ...refused, ...again, key: 'pay#3' },
  );

  expect([3, 5, 7].map((seq) => foldTo(events, seq).circuits.pay?.refused)).toEqual([1, 1, 2]);
});

it('a refusal alone tells of a circuit that an earlier run opened', () => {
  const view = foldTo(
    log(
      { type: 'RunStarted', graph_id: 'g' },
      { ...started, ...pay },
      {
        type: 'NodeFailed',
        ...pay,
        error: { code: 'CircuitOpen', message: 'open', detail: { target: 'bank' } },
      },
    ),
    9,
  );

  expect(view.circuits.pay).toMatchObject({ state: 'open', target: 'bank', refused: 1 });
});

it('who waits for a child run waits for people as long as that does (C86)', () => {
  const child = { ...pay, run_id: 'r2' };
  const events = log(
    { type: 'RunStarted', graph_id: 'g' },
    { ...started, ...pay },
    { type: 'ChildRunRequested', ...child, path: '0', graph_id: 'h' },
    { type: 'NodeWaiting', ...pay, on: 'run' },
    { type: 'ChildRunWaiting', ...child, waiting: true },
    { type: 'ChildRunWaiting', ...child, waiting: false },
    {
      type: 'ChildRunEnded',
      ...child,
      path: '0',
      status: 'completed',
      result: 7,
      tokens: 12,
      cost_usd: '0.1',
    },
  );

  expect([4, 5, 6].map((seq) => foldTo(events, seq).status)).toEqual([
    'running',
    'waiting',
    'running',
  ]);
  expect(foldTo(events, 7).activations['pay#1']?.childRuns).toMatchObject([
    { runId: 'r2', status: 'completed', result: 7, tokens: 12, waiting: false },
  ]);
});

it('a card says when its step is tried again, and no longer once it is', () => {
  const error = { code: 'HttpUnavailable', message: 'away' };
  const at = Date.parse('2026-11-21T10:01:00Z');
  const events = log(
    ...paid.slice(0, 2),
    { type: 'AttemptFailed', ...pay, attempt: 2, max_attempts: 5, retry_at: at + 40_000, error },
    { ...started, ...pay, attempt: 3, max_attempts: 5 },
  );

  expect(nodeRunView(foldTo(events, 3), doc, {}, at)?.nextTry).toBe('Next try in 40 s (3 of 5)');
  expect(nodeRunView(foldTo(events, 4), doc, {}, at)?.nextTry).toBeNull();
});

it('the card of a step at which somebody said no is rejected, not failed', () => {
  const error = { code: 'ApprovalRejected', message: 'rejected: too much', node: 'pay' };
  const events = log(
    { type: 'RunStarted', graph_id: 'g' },
    { ...started, ...pay },
    { type: 'NodeFailed', ...pay, error },
  );

  expect(nodeRunView(foldTo(events, 3), doc, {}, 0)).toMatchObject({
    status: 'rejected',
    error: null,
  });
});

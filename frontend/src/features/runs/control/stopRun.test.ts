import { beforeEach, expect, test, vi } from 'vitest';
import { actionFor, useRegistry } from '../../../actions/registry.ts';
import type { RunSummary } from '../../../api/types/types.ts';
import { stopAction, stopTestRun, testRunOf } from './stopRun.ts';

const me = 'u1';
const run = (id: string, more: Partial<RunSummary> = {}) =>
  ({
    id,
    is_draft: true,
    parent_run: null,
    started_by: { id: me, name: 'Ada' },
    ...more,
  }) as RunSummary;
let listed: RunSummary[] = [];
let sent: string[] = [];

beforeEach(() => {
  listed = [];
  sent = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    sent.push(`${init.method} ${address}`);
    return Promise.resolve(
      new Response(JSON.stringify({ results: listed, next: null }), {
        headers: { 'content-type': 'application/json' },
      }),
    );
  });
});

test('Mod and the full stop asks for it, also while typing, if there is something to stop', () => {
  const stroke = {
    key: '.',
    code: 'Period',
    ctrlKey: true,
    metaKey: false,
    shiftKey: false,
    altKey: false,
  };
  let under = true;
  const action = stopAction({
    id: 'run.stop',
    label: 'Stop',
    group: 'Run',
    enabled: () => under,
    run: () => undefined,
  });
  useRegistry.setState({ scopes: [{ id: 1, actions: [action] }], rebound: {}, singleKeys: true });
  expect([actionFor(stroke, false)?.id, actionFor(stroke, true)?.id]).toEqual([
    'run.stop',
    'run.stop',
  ]);
  expect(actionFor({ ...stroke, ctrlKey: false }, false)).toBeNull();

  under = false;
  expect(actionFor(stroke, false)).toBeNull();
});

test("a test run is of the draft, one's own, and no child of another", () => {
  const others = [
    run('live', { is_draft: false }),
    run('hers', { started_by: { id: 'u2', name: 'Grace' } }),
    run('timer', { started_by: 'schedule' }),
    run('child', { parent_run: 'r0' }),
  ];
  expect(testRunOf(others, me)).toBeNull();
  expect(testRunOf([...others, run('newest'), run('older')], me)?.id).toBe('newest');
});

test('the test run under way is cancelled after a yes', async () => {
  listed = [run('r1')];
  expect(await stopTestRun('g1', me, () => Promise.resolve(false))).toBeNull();
  expect(sent).toEqual(['GET /api/runs/?graph=g1&status=queued%2Crunning%2Cwaiting']);

  expect(await stopTestRun('g1', me, () => Promise.resolve(true))).toBe('r1');
  expect(sent.at(-1)).toBe('POST /api/runs/r1/cancel/');
});

test('without a test run nobody is asked', async () => {
  const ask = vi.fn(() => Promise.resolve(true));
  expect(await stopTestRun('g1', me, ask)).toBeNull();
  expect(ask).not.toHaveBeenCalled();
});

import { expect, test } from 'vitest';
import { describeEvent } from '../reading/describe.ts';
import type { RunEvent } from './events.ts';
import { keyMomentsOf } from '../reading/keyMoments.ts';
import { noticeOf } from './notices.ts';
import { foldTo } from './view.ts';

const at = '2026-11-21T10:00:00Z';
const log: RunEvent[] = [
  { seq: 1, at, type: 'RunStarted', graph_id: 'g' } as RunEvent,
  {
    seq: 2,
    at,
    type: 'RunEnding',
    status: 'completed',
    reason: 'until',
    error: null,
    grace_until: 0,
  },
  { seq: 3, at, type: 'RunCompleted', result: { b: 1 }, until: 'b' },
];

test('a run that stopped where it was to is completed, and says so without alarm', () => {
  const view = foldTo(log, 3);

  expect([view.status, view.result]).toEqual(['completed', { b: 1 }]);
  expect(log.map((event) => noticeOf(event, 0)?.tone)).toEqual([undefined, 'info', undefined]);
  expect(keyMomentsOf(log)).toEqual([]);
  expect(log.map((event) => describeEvent(event))[2]).toContain('stopped after b, as was asked');
});

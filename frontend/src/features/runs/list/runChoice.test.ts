import { expect, it } from 'vitest';
import { NEWEST, chooseStatus, chosenStatus, filterOf } from './runChoice.ts';

it('tells what sleeps from what runs, as the rows do', () => {
  const running = { ordering: NEWEST, status: 'running' };

  expect(filterOf(running, 0)).toEqual({ status: 'running', awake: 'true' });
  expect(chooseStatus('asleep')).toEqual({ status: null, asleep: 'true', rejected: null });
  expect(chosenStatus({ ordering: NEWEST, asleep: 'true' })).toBe('asleep');
  expect(chooseStatus('running')).toEqual({ status: 'running', asleep: null, rejected: null });
  expect(chosenStatus({ ordering: NEWEST, status: 'running,queued' })).toBeNull();
});

it('tells what people rejected from what failed, as the rows and figures do', () => {
  const failed = { ordering: NEWEST, status: 'failed' };

  expect(filterOf(failed, 0)).toEqual({ status: 'failed', rejected: 'false' });
  expect(filterOf({ ...failed, status: 'failed,timeout' }, 0)).toEqual({
    status: 'failed,timeout',
    rejected: 'false',
  });
  expect(chooseStatus('rejected')).toEqual({ status: null, asleep: null, rejected: 'true' });
  expect(chosenStatus({ ordering: NEWEST, rejected: 'true' })).toBe('rejected');
  expect(chosenStatus({ ...failed, rejected: 'false' })).toBe('failed');
});

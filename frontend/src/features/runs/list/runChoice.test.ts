import { expect, it } from 'vitest';
import { NEWEST, chooseStatus, chosenStatus, filterOf } from './runChoice.ts';

it('tells what sleeps from what runs, as the rows do', () => {
  const running = { ordering: NEWEST, status: 'running' };

  expect(filterOf(running, 0)).toEqual({ status: 'running', awake: 'true' });
  expect(filterOf({ ...running, status: 'failed' }, 0)).toEqual({ status: 'failed' });
  expect(chooseStatus('asleep')).toEqual({ status: null, asleep: 'true' });
  expect(chosenStatus({ ordering: NEWEST, asleep: 'true' })).toBe('asleep');
  expect(chooseStatus('running')).toEqual({ status: 'running', asleep: null });
  expect(chosenStatus({ ordering: NEWEST, status: 'running,queued' })).toBeNull();
});

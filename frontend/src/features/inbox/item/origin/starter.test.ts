import { expect, it } from 'vitest';
import { starterOf } from './starter.ts';

const account = { id: 'u', name: 'Triggers' };

it.each([
  [{ started_by: account, source: 'person', trigger: null }, 'Triggers'],
  [
    { started_by: account, source: 'webhook', trigger: { id: 't', name: 'Orders' } },
    'the webhook “Orders”',
  ],
  [
    { started_by: account, source: 'schedule', trigger: { id: 't', name: '' } },
    'the schedule that is gone',
  ],
  [{ started_by: null }, 'the system'],
])('says who or what started a run', (run, told) => {
  expect(starterOf(run)).toBe(told);
});

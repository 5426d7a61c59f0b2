import { expect, it } from 'vitest';
import type { ActivationView } from '../fold/model.ts';
import { runSleepsUntil } from './asleep.ts';

const sleeping = (until: number) =>
  ({ status: 'running', waitingOn: 'timer', waitingUntil: until }) as ActivationView;
const working = { status: 'running', waitingOn: null, waitingUntil: null } as ActivationView;
const around = { status: 'running', waitingOn: 'children', waitingUntil: null } as ActivationView;
const view = (activations: Record<string, ActivationView>, status = 'running' as const) => ({
  status,
  live: Object.keys(activations),
  activations,
});

it('is the first moment that wakes a run of which all sleeps, also below another step', () => {
  expect(runSleepsUntil(view({ 'a#1': sleeping(9), 'b#1': sleeping(4) }))).toBe(4);
  expect(runSleepsUntil(view({ 'm#1': around, 'm#1/w[0]#1': sleeping(7) }))).toBe(7);
});

it('is none where anything is worked on, nothing is alive, or the run is over', () => {
  expect(runSleepsUntil(view({ 'a#1': sleeping(9), 'b#1': working }))).toBeNull();
  expect(runSleepsUntil(view({ 'm#1': around }))).toBeNull();
  expect(runSleepsUntil(view({}))).toBeNull();
  expect(runSleepsUntil({ ...view({ 'a#1': sleeping(9) }), status: 'cancelled' })).toBeNull();
});

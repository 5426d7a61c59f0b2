import { expect, it } from 'vitest';
import type { Trigger } from '../../../api/http/runs/triggers.ts';
import { exampleOf, heardOf, withKinds, wordsOf } from './eventWords.ts';

const trigger = (on: string[], watched: Trigger['watched'] = null) =>
  ({ config: { on }, watched }) as unknown as Trigger;

it('says what a trigger waits for, and of which workflow', () => {
  expect(heardOf(trigger(['run.failed']))).toBe('Event: A run failed');
  expect(heardOf(trigger(['run.failed', 'run.timeout'], { id: 'g', name: 'Import' }))).toBe(
    'Event of “Import”: A run failed, or: A run took too long',
  );
  expect(
    heardOf(trigger(['run.failed', 'run.timeout', 'budget.mark'], { id: 'g', name: '' })),
  ).toBe('Event of a workflow that is gone: A run failed, or: A run took too long and 1 more');
  expect(wordsOf('a.later.one')).toBe('a.later.one');
});

it('asks for minutes and percent only where an event needs them', () => {
  const waits = withKinds({ on: [], workflow: 'g' }, ['item.waiting']);

  expect(waits).toEqual({ on: ['item.waiting'], workflow: 'g', minutes: 60 });
  expect(withKinds({ ...waits, minutes: 5 }, ['item.waiting', 'budget.mark'])).toMatchObject({
    minutes: 5,
    percent: 90,
  });
  expect(withKinds({ ...waits, minutes: 5 }, ['run.failed'])).toEqual({
    on: ['run.failed'],
    workflow: 'g',
  });
});

it('makes an example of what it waits for', () => {
  expect(exampleOf(trigger(['run.completed']))).toMatchObject({ item: null, budget: null });
  expect(exampleOf(trigger(['budget.mark']))).toMatchObject({ item: null, budget: {} });
  expect(exampleOf(trigger(['item.waiting']))).toMatchObject({ item: {}, run: {} });
});

import { expect, it, test } from 'vitest';
import type { ActivationView } from '../../../run/fold/model.ts';
import { firstTry, nextTry } from './nextTry.ts';

const waiting = (retryAt: number, attempt = 2) =>
  ({ status: 'retrying', retryAt, attempt, maxAttempts: 5 }) as ActivationView;
const working = { status: 'running', retryAt: null, attempt: 1, maxAttempts: 5 } as ActivationView;

test.each([
  [40_000, 'Next try in 40 s (3 of 5)'],
  [39_001, 'Next try in 40 s (3 of 5)'],
  [125_000, 'Next try in 2 min 5 s (3 of 5)'],
  [0, 'Next try now (3 of 5)'],
  [-5_000, 'Next try now (3 of 5)'],
])('%s ms before the next try', (left, words) => {
  expect(nextTry(waiting(1_000_000 + left), 1_000_000)).toBe(words);
});

it('names the step where it is told of the whole run', () => {
  expect(nextTry(waiting(9_000), 0, 'Fetch')).toBe('Next try of Fetch in 9 s (3 of 5)');
});

it('says nothing of a step that is at work', () => {
  expect(nextTry(working, 0)).toBeNull();
  expect(nextTry(undefined, 0)).toBeNull();
});

it('finds the step that is tried first', () => {
  const activations = { 'a#1': working, 'b#1': waiting(9), 'c#1': waiting(4) };
  expect(firstTry({ live: Object.keys(activations), activations })).toBe(activations['c#1']);
  expect(firstTry({ live: ['a#1'], activations })).toBeUndefined();
});

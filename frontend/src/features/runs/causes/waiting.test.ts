import { expect, test } from 'vitest';
import { leftOf } from './Waiting.tsx';

test('runs that wait in a retry are not offered for another', () => {
  const queued = [{ job: 'j', status: 'paused', runs: 18 }];
  expect(leftOf({ count: 30, retried: 6, queued })).toBe(6);
  expect(leftOf({ count: 24, retried: 6, queued })).toBe(0);
  expect(leftOf({ count: 24, retried: 6, queued: [] })).toBe(18);
});

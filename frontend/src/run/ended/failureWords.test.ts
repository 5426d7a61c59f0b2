import { expect, it } from 'vitest';
import { failureTitle } from './failureWords.ts';

it.each(['HttpUnavailable', 'ProviderUnavailable'])(
  'does not deny the answer of a side that answered that it cannot: %s',
  (code) => {
    expect(failureTitle(code)).toMatch(/was not available$/);
  },
);

it('calls no budget spent of which nothing may be used', () => {
  expect(failureTitle('RunBudgetExceeded')).toBe('The run’s budget leaves no room');
});

import { expect, it } from 'vitest';
import { failureTitle } from './failureWords.ts';

it.each(['HttpUnavailable', 'ProviderUnavailable'])(
  'does not deny the answer of a side that answered that it cannot: %s',
  (code) => {
    expect(failureTitle(code)).toMatch(/was not available$/);
  },
);

import { expect, it } from 'vitest';
import { lastHeld } from './heldGoes.ts';

const go = (text: string, until: number | null) => ({ ids: [text], text, until });

it('offers what was decided last and is not sent yet', () => {
  expect(lastHeld([go('a', 2_000), go('b', 1_000)], 500)?.text).toBe('b');
  expect(lastHeld([go('a', 2_000), go('b', 1_000)], 1_500)?.text).toBe('a');
  expect(lastHeld([go('a', null)], 1_500)?.text).toBe('a');
  expect(lastHeld([go('a', 1_000)], 1_000)).toBeNull();
});

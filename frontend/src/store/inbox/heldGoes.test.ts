import { expect, it } from 'vitest';
import { heldIds, lastHeld, withTold } from './heldGoes.ts';

const go = (text: string, until: number | null) => ({ ids: [text], text, until });

it('offers what was decided last and is not sent yet', () => {
  expect(lastHeld([go('a', 2_000), go('b', 1_000)], 500)?.text).toBe('b');
  expect(lastHeld([go('a', 2_000), go('b', 1_000)], 1_500)?.text).toBe('a');
  expect(lastHeld([go('a', null)], 1_500)?.text).toBe('a');
  expect(lastHeld([go('a', 1_000)], 1_000)).toBeNull();
});

it('knows what another tab holds, or this one held before it was loaded anew', () => {
  expect(withTold([], [go('b', 2_000), go('a', 1_000)], new Set()).map(({ text }) => text)).toEqual(
    ['a', 'b'],
  );
});

it('drops what was sent or taken back elsewhere, and keeps what came since it asked', () => {
  const both = { ids: ['a', 'b'], text: '2 items', until: 1_000 };
  const goes = [both, go('c', null)];
  const asked = heldIds(goes);

  expect([...asked]).toEqual(['a', 'b']);
  expect(withTold(goes, [go('b', 1_000)], asked)).toEqual([{ ...both, ids: ['b'] }, go('c', null)]);
  expect(withTold([both], [], asked)).toEqual([]);
  expect(withTold([go('d', 3_000)], [], asked)).toEqual([go('d', 3_000)]);
});

import { expect, it } from 'vitest';
import { freeRoom } from './freeRoom.ts';

const size = { width: 232, height: 76 };

it('keeps a place where nothing lies, and goes below what does', () => {
  const first = freeRoom([], { x: 3, y: 5 }, size);
  const second = freeRoom([{ ...size, ...first }], first, size);
  const third = freeRoom(
    [
      { ...size, ...first },
      { ...size, ...second },
    ],
    first,
    size,
  );

  expect(first).toEqual({ x: 0, y: 8 });
  expect(second.x).toBe(0);
  expect(second.y).toBeGreaterThanOrEqual(first.y + 100);
  expect(third.y).toBeGreaterThanOrEqual(second.y + 100);
});

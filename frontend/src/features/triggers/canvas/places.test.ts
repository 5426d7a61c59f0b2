import { expect, test } from 'vitest';
import { CARD, columnOf, shareOf, wireOf } from './places.ts';

const start = { x: 100, y: 84, width: 72, height: 32 };

test('cards stand in a column before the start, its middle level with it', () => {
  const [first, last] = columnOf(start, 2);

  expect([first?.x, last?.x]).toEqual([100 - 56 - CARD.width, 100 - 56 - CARD.width]);
  expect(((first?.y ?? 0) + (last?.y ?? 0) + CARD.height) / 2).toBe(100);
  expect((last?.y ?? 0) - (first?.y ?? 0)).toBe(CARD.height + CARD.gap);
});

test('a wire goes from the right of a card to the left of the start', () => {
  const [card] = columnOf(start, 1);

  expect(card && wireOf(card, start)).toMatch(/^M44,100 C.* 100,100$/);
});

test('the column’s share is of what is drawn with it', () => {
  expect(shareOf(start, [{ x: 100, y: 0, width: 246, height: 10 }])).toBe(0.5);
});

import { expect, test } from 'vitest';
import { align, isInside } from './guides.ts';

const box = (x: number, y: number, width = 100, height = 50) => ({ x, y, width, height });

test('a side or a middle catches the moved box, and a line says which', () => {
  const { position, guides } = align(box(303, 204), [box(300, 0), box(900, 900)], 6);
  expect(position).toEqual({ x: 300, y: 204 });
  expect(guides).toEqual([{ axis: 'x', at: 300, from: 0, to: 254 }]);

  expect(align(box(0, 96, 100, 60), [box(300, 100)], 6).position).toEqual({ x: 0, y: 95 });
});

test('nothing catches from further away', () => {
  expect(align(box(310, 210), [box(300, 0)], 6)).toEqual({
    position: { x: 310, y: 210 },
    guides: [],
  });
});

test('a frame holds what lies wholly inside it', () => {
  expect([
    isInside(box(10, 10), box(0, 0, 200, 100)),
    isInside(box(110, 10), box(0, 0, 200, 100)),
  ]).toEqual([true, false]);
});

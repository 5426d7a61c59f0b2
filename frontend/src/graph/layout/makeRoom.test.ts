import { expect, test } from 'vitest';
import type { Records } from '../document/document.ts';
import { place, splice } from '../editing/operations.ts';
import { graph } from '../document/testing.ts';

const at = (records: Records, spots: Record<string, [number, number]>) =>
  place(records, new Map(Object.entries(spots).map(([id, [x, y]]) => [id, { x, y }])));
const spots = (records: Records) =>
  Object.fromEntries(
    [...records.nodes.values()].map((node) => [node.id, [node.position?.x, node.position?.y]]),
  );

test('a node between two close ones moves off the first, and what follows moves along', () => {
  const base = at(graph('a>b', 'b>c', 'x>y'), {
    a: [0, 0],
    b: [320, 0],
    c: [640, 40],
    x: [160, 8],
    y: [320, 600],
  });

  expect(spots(splice(base, 'a>b', 'x'))).toEqual({
    a: [0, 0],
    x: [304, 8],
    b: [608, 0],
    c: [928, 40],
    y: [320, 600],
  });
});

test('where there is room nothing moves', () => {
  const base = at(graph('a>b', 'x>y'), { a: [0, 0], b: [900, 0], x: [400, 0], y: [0, 900] });

  expect(spots(splice(base, 'a>b', 'x'))).toEqual(spots(base));
});

test('what leads back to the left stays, and so does another row', () => {
  const base = at(graph('a>b', 'b>a', 'x>y'), {
    a: [0, 0],
    b: [320, 400],
    x: [160, 200],
    y: [0, 900],
  });

  expect(spots(splice(base, 'a>b', 'x'))).toEqual(spots(base));
  expect(spots(splice(base, 'b>a', 'x'))).toEqual(spots(base));
});

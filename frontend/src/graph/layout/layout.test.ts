import { expect, test } from 'vitest';
import { align, distribute, GRID, NODE_WIDTH, pillPositions } from './layout.ts';
import { placesOf } from './places.ts';
import { roomsOf } from './rooms.ts';
import { tidy } from './tidy.ts';
import { graph } from '../document/testing.ts';

test('tidy puts every edge from left to right, on the grid, without overlap', () => {
  const records = graph('a>b', 'a>c', 'b>d', 'c>d');

  const places = tidy(records);

  for (const edge of records.edges.values())
    expect((places.get(edge.target)?.x ?? 0) - (places.get(edge.source)?.x ?? 0)).toBeGreaterThan(
      NODE_WIDTH,
    );
  for (const { x, y } of places.values())
    expect([x % GRID, y % GRID].map(Math.abs)).toEqual([0, 0]);
  expect(places.get('b')?.y).not.toBe(places.get('c')?.y);
});

test.each([
  ['apart', ['x>p', 'y>q', 'z>r']],
  ['coming together', ['x>p', 'y>q', 'z>r', 'p>d', 'q>d', 'r>d']],
  ['ending', ['x>p', 'y>q', 'z>r', 'p>__end__', 'q>__end__', 'r>__end__', '__start__>a']],
])('tidy lays branches in the order in which they leave their card: %s', (_, more) => {
  const records = graph('a>x', 'a>y', 'a>z', ...more);
  for (const wished of ['xyz', 'zyx', 'yzx']) {
    const places = tidy(records, undefined, undefined, ({ target }) => wished.indexOf(target));
    const down = (ids: string) =>
      [...ids].toSorted((a, b) => (places.get(a)?.y ?? 0) - (places.get(b)?.y ?? 0)).join('');

    expect(down('xyz')).toBe(wished);
    expect(down('pqr')).toBe(wished.replace('x', 'p').replace('y', 'q').replace('z', 'r'));
  }
});

test('tidy of a selection moves only that, and keeps its corner', () => {
  const places = tidy(graph('a>b', 'b>c'), new Set(['b', 'c']));

  expect([...places.keys()]).toEqual(['b', 'c']);
  expect(Math.min(...[...places.values()].map((place) => place.x))).toBeCloseTo(304, -1);
});

test('tidy of a loop ends', () => {
  expect(tidy(graph('a>b', 'b>a', 'a>a')).size).toBe(2);
});

test('the pills stand outside, level with what they touch', () => {
  const { start, end } = pillPositions(graph('__start__>a', 'a>b', 'b>__end__'));

  expect(start.x).toBeLessThan(0);
  expect(end.x).toBeGreaterThan(300 + NODE_WIDTH);
  expect(start.y).toBe(end.y);
});

const box = (id: string, x: number, width = 100) => ({ id, x, y: x, width, height: 50 });

test('align and distribute', () => {
  const boxes = [box('a', 0), box('b', 120, 40), box('c', 400)];

  expect([...align(boxes, 'right').values()].map((place) => place.x)).toEqual([400, 460, 400]);
  expect([...align(boxes, 'top').values()].map((place) => place.y)).toEqual([0, 0, 0]);
  expect([...distribute(boxes, 'x').values()].map((place) => place.x)).toEqual([0, 230, 400]);
});

test('cards that have many ports lie on no other, after an import and where nothing was placed', () => {
  const levels = ['senior', 'mid', 'junior', 'lead', 'none', 'other', 'some'];
  const drawn = graph('s>a', 's>b', 'a>c', 'b>c');
  const wires = ['a', 'b'].flatMap((source) =>
    levels.map((when) => ({ id: `${source}${when}`, source, target: 'c', when })),
  );
  const records = { ...drawn, edges: new Map(wires.map((wire) => [wire.id, wire])) };
  const bare = {
    ...records,
    nodes: new Map([...records.nodes].map(([id, node]) => [id, { id, type: node.type }])),
  };
  const sizes = roomsOf(records);
  expect(sizes('a').height).toBeGreaterThan(62 + 7 * 24);

  for (const places of [tidy(records, undefined, sizes), placesOf(bare, sizes)]) {
    const at = [...places].map(([id, place]) => ({ ...place, ...sizes(id) }));
    const meet = at.filter((one) =>
      at.some(
        (other) =>
          other !== one &&
          Math.abs(one.x - other.x) < one.width &&
          one.y <= other.y &&
          other.y < one.y + one.height,
      ),
    );
    expect(meet).toEqual([]);
  }
});

import { expect, it } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { pickable, shapeOf } from './bulk.ts';

const item = (
  id: string,
  part: Partial<Interrupt> = {},
  data: Record<string, number> = { a: 1, b: 2 },
) =>
  ({
    request_id: id,
    kind: 'approval',
    status: 'open',
    node: 'review',
    can_decide: true,
    my_decision: null,
    run: { id: `run-${id}`, graph: { id: 'g', name: 'G' } },
    request: { data },
    ...part,
  }) as unknown as Interrupt;

it('takes items of one node with the same fields together, in whatever order the fields stand', () => {
  expect(shapeOf(item('1', {}, { b: 5, a: 7 }))).toBe(shapeOf(item('2')));
  expect(shapeOf(item('3', {}, { a: 1 }))).not.toBe(shapeOf(item('2')));
  expect(shapeOf(item('4', { node: 'other' }))).not.toBe(shapeOf(item('2')));
});

it('leaves out what one cannot decide, has decided, or is another kind', () => {
  expect(shapeOf(item('1', { can_decide: false }))).toBeNull();
  expect(shapeOf(item('1', { my_decision: 'approved' }))).toBeNull();
  expect(shapeOf(item('1', { kind: 'budget' }))).toBeNull();
});

it('offers only what has company, and after the first pick only its like', () => {
  const items = [
    item('1'),
    item('2'),
    item('3', {}, { c: 1 }),
    item('4', {}, { c: 1 }),
    item('5', {}, { d: 1 }),
  ];

  expect([...pickable(items, new Set())]).toEqual(['1', '2', '3', '4']);
  expect([...pickable(items, new Set(['3']))]).toEqual(['3', '4']);
});

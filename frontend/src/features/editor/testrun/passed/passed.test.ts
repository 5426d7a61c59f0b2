import { expect, test } from 'vitest';
import type { GraphDoc, RunState } from '../../../../api/types/types.ts';
import { type ActivationView, emptyView, type RunView } from '../../../../run/fold/model.ts';
import { indexInRun, passedAlong, readBy } from './passed.ts';

const document = {
  graphwright: 1,
  id: 'g',
  nodes: [
    { id: 'a', type: 'step', label: 'First' },
    { id: 'b', type: 'step', read_keys: ['input.name', 'level', 'outputs.a', 'absent'] },
  ],
  edges: [
    { id: 'in', source: '__start__', target: 'a' },
    { id: 'ab', source: 'a', target: 'b' },
  ],
} as unknown as GraphDoc;
const activation = (node: string, output: string) =>
  ({ node, key: `${node}#1`, output }) as unknown as ActivationView;
const view = {
  ...emptyView(),
  input: { name: 'Ada', cv: 'long' },
  takenEdges: { 1: 2 },
  nodes: { a: { latest: 'a#1' } },
  activations: { 'a#1': activation('a', 'said') },
} as unknown as RunView;
const state = {
  memory: { level: 'senior', other: 1 },
  outputs: { a: 'said' },
} as unknown as RunState;

test('a node was given what came along its wires and what it may read, by name', () =>
  expect(readBy(document, view, activation('b', ''), state)).toEqual([
    { name: 'From First', value: 'said' },
    { name: 'Start', value: 'Ada' },
    { name: 'level', value: 'senior' },
    { name: 'Answer of First', value: 'said' },
  ]));

test('along a wire passed the last answer of its source, as often as it was taken', () => {
  expect(passedAlong(document, view, { id: 'ab', source: 'a', target: 'b' })).toEqual({
    times: 2,
    value: 'said',
  });
  expect(passedAlong(document, view, { id: 'in', source: '__start__', target: 'a' })).toEqual({
    times: 1,
    value: view.input,
  });
});

test('a wire that is new or leads elsewhere now was not in the run', () => {
  expect(passedAlong(document, view, { id: 'new', source: 'a', target: 'b' })).toBeNull();
  expect(indexInRun(document, { id: 'ab', source: 'a', target: 'c' })).toBe(-1);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { selectedEdgeIds, selectedIds, useEditor } from '../../../../store/editor.ts';
import { loadDraft } from '../../../../store/testing.tsx';
import { chooseWire, extend, hasWires, walk } from './walking.ts';

const editor = () => useEditor.getState();
const at = (id: string, x: number, y: number) => ({
  id,
  type: 'step',
  label: id,
  position: { x, y },
});
const started = () => editor().nodes.find((node) => node.selected)?.id;

beforeEach(() =>
  loadDraft({
    nodes: [at('a', 0, 0), at('b', 400, 80), at('c', 1200, 320)],
    edges: [
      { id: 'in', source: '__start__', target: 'a' },
      { id: 'ab', source: 'a', target: 'b' },
      { id: 'bc', source: 'b', target: 'c' },
      { id: 'ac', source: 'a', target: 'c', on: 'failed' },
    ],
  }),
);

describe('walking along the graph', () => {
  it('follows wires to the sides', () => {
    editor().select(['a']);
    walk('right');
    expect(selectedIds()).toEqual(['b']);
    walk('left');
    expect(selectedIds()).toEqual(['a']);
  });

  it('goes up and down by place, and begins somewhere', () => {
    walk('down');
    expect(selectedIds()).toEqual(['a']);
    walk('down');
    expect(selectedIds()).toEqual(['b']);
    walk('up');
    expect(selectedIds()).toEqual(['a']);
  });
});

describe('the wires of a node', () => {
  it('are chosen one after another, those tried first first, round and round', () => {
    editor().select(['a']);
    expect(hasWires()).toBe(true);
    const chosen = [1, 1, 1, 1, -1].map((by) => {
      chooseWire(by as 1 | -1);
      return selectedEdgeIds()[0];
    });

    expect(chosen).toEqual(['ab', 'ac', 'in', 'ab', 'in']);
  });

  it('lead to their ends, and back to the node whose wires they are', () => {
    editor().select(['b']);
    chooseWire(-1);
    expect(selectedEdgeIds()).toEqual(['ab']);
    walk('up');
    expect(selectedIds()).toEqual(['b']);

    chooseWire(-1);
    walk('left');
    expect(selectedIds()).toEqual(['a']);
  });

  it('are not chosen where nothing is selected', () => {
    expect(hasWires()).toBe(false);
    chooseWire(1);
    expect(selectedEdgeIds()).toEqual([]);
  });
});

it('takes one more card along', () => {
  editor().select(['a']);
  extend('down');
  extend('down');

  expect(selectedIds()).toEqual(['a', 'b', 'c']);
});

it('keeps the start in reach', () => {
  editor().select(['a']);
  walk('left');

  expect(started()).toBe('__start__');
  walk('right');
  expect(selectedIds()).toEqual(['a']);
});

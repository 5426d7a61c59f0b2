import { describe, expect, it } from 'vitest';
import type { GraphDoc } from '../../api/types/types.ts';
import { semanticDiff, summaryOfChanges } from './semantic.ts';
import { textDiff } from './text/textDiff.ts';

const write = {
  id: 'a',
  type: 'agent',
  label: 'Write',
  config: { prompt: 'Say it short.' },
  position: { x: 0, y: 0 },
};
const start = { id: 'e1', source: '__start__', target: 'a' };
const onward = { id: 'e2', source: 'a', target: 'b' };
const base: GraphDoc = {
  graphwright: 1,
  id: 'g',
  goal: 'Answer.',
  agents: [{ id: 'writer', model: 'a/b', tools: [] }],
  nodes: [write, { id: 'b', type: 'output', position: { x: 1, y: 1 } }],
  edges: [start, onward],
};
const copy = (): GraphDoc => structuredClone(base);

describe('semanticDiff', () => {
  it('ignores layout, notes, ids of edges and fields that say nothing', () => {
    const moved = copy();
    moved.nodes = moved.nodes.map((node) => ({
      ...node,
      position: { x: 9, y: 9 },
      description: '',
    }));
    moved.notes = [{ id: 'n', kind: 'note', text: 'x', position: { x: 0, y: 0 } }];
    moved.edges = moved.edges.map((edge, index) => ({ ...edge, id: `other-${index}` }));
    expect(semanticDiff(base, moved)).toEqual([]);
  });

  it('names the field of a node that changed', () => {
    const after = copy();
    after.nodes[0] = { ...write, config: { prompt: 'Say it long.' } };
    expect(semanticDiff(base, after)).toEqual([
      {
        kind: 'node',
        id: 'a',
        title: 'Write',
        change: 'changed',
        fields: [{ path: 'config.prompt', before: 'Say it short.', after: 'Say it long.' }],
        type: base.nodes[0]?.type,
      },
    ]);
  });

  it('finds nodes and edges that came and went, in words of labels', () => {
    const after = copy();
    after.nodes = [write, { id: 'c', type: 'delay', label: 'Wait' }];
    after.edges = [start, { id: 'e3', source: 'a', target: 'c' }];
    const changes = semanticDiff(base, after);
    expect(changes.map(({ kind, title, change }) => [kind, title, change])).toEqual([
      ['node', 'b', 'removed'],
      ['node', 'Wait', 'added'],
      ['edge', 'Write → b', 'removed'],
      ['edge', 'Write → Wait', 'added'],
    ]);
    expect(summaryOfChanges(changes)).toBe(
      '1 node removed, 1 node added, 1 wire removed, 1 wire added',
    );
  });

  it("calls a node's own agent by the node", () => {
    const after = copy();
    after.agents = [...(after.agents ?? []), { id: 'a', model: 'a/b', tools: [] }];
    expect(semanticDiff(base, after).map(({ title }) => title)).toEqual(['Agent of Write']);
  });

  it('keeps an edge that got a condition as one changed edge', () => {
    const after = copy();
    after.edges[1] = { ...onward, condition: 'memory.ok' };
    expect(semanticDiff(base, after)).toMatchObject([
      { kind: 'edge', change: 'changed', fields: [{ path: 'condition', after: 'memory.ok' }] },
    ]);
  });

  it('shows settings and agents field by field', () => {
    const after = copy();
    after.goal = 'Answer well.';
    after.limits = { budget_usd: '1.00' };
    after.agents = [{ id: 'writer', model: 'c/d', tools: [] }];
    expect(
      semanticDiff(base, after).map(({ kind, id, change, fields }) => [
        kind,
        id,
        change,
        fields.map((field) => field.path),
      ]),
    ).toEqual([
      ['agent', 'writer', 'changed', ['model']],
      ['setting', 'goal', 'changed', ['goal']],
      ['setting', 'limits', 'added', ['limits']],
    ]);
  });
});

describe('textDiff', () => {
  it('marks the words that changed', () => {
    expect(textDiff('Say it short.', 'Say it very long.')).toEqual([
      { kind: 'same', text: 'Say it ' },
      { kind: 'removed', text: 'short.' },
      { kind: 'added', text: 'very long.' },
    ]);
  });

  it('puts the new text together from what stayed and what came', () => {
    const [before, after] = ['a\nb\nc d\n', 'b\nc x d\ne'];
    const pieces = textDiff(before, after);
    expect(
      pieces
        .filter((piece) => piece.kind !== 'removed')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(after);
    expect(
      pieces
        .filter((piece) => piece.kind !== 'added')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(before);
  });
});

import { beforeEach, expect, it } from 'vitest';
import type { GraphDetail } from '../../../api/types/types.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { useEditor } from '../../../store/editor.ts';
import { importText } from './exchange.ts';

const detail = {
  id: 'g1',
  name: 'G',
  revision: 1,
  document: {
    graphwright: 1,
    id: 'g',
    nodes: [{ id: 'old', type: 'step', label: 'old' }],
    edges: [],
  },
  problems: [],
  can: { edit: true, publish: true, run: true },
} as unknown as GraphDetail;
const editor = () => useEditor.getState();

beforeEach(() => editor().load(detail, new Map([['step', nodeType('step')]])));

it('an imported document takes the place of the draft, in one undo step', () => {
  importText('graphwright: 1\nid: x\nnodes:\n  - {id: a, type: step}\n  - {id: b, type: step}\n');

  expect([...editor().records.nodes.keys()]).toEqual(['a', 'b']);
  editor().undo();
  expect([...editor().records.nodes.keys()]).toEqual(['old']);
});

it('nodes without places are laid out; one place given is left as it is', () => {
  importText(
    '{"graphwright": 1, "nodes": [{"id": "a", "type": "step"}, {"id": "b", "type": "step"}]}',
  );
  const places = [...editor().records.nodes.values()].map(({ position }) => position);
  expect(places.every(Boolean)).toBe(true);
  expect(places[0]).not.toEqual(places[1]);

  importText(
    '{"graphwright": 1, "nodes": [{"id": "a", "type": "step", "position": {"x": 8, "y": 8}}]}',
  );
  expect(editor().records.nodes.get('a')?.position).toEqual({ x: 8, y: 8 });
});

it.each(['hello', '{"graphwright": 2, "nodes": []}', 'graphwright: 1', '[]', ''])(
  '%j is no document, and the draft stays',
  (text) => {
    expect(() => importText(text)).toThrow('This is no workflow');
    expect([...editor().records.nodes.keys()]).toEqual(['old']);
  },
);

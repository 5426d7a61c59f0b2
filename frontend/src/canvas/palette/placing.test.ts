import { expect, it } from 'vitest';
import { connect } from '../../graph/editing/operations.ts';
import { MAIN, NEW_BRANCH } from '../../graph/schema/ports.ts';
import { selectedEdgeIds, useEditor } from '../../store/editor.ts';
import { loadDraft, twoNodes } from '../../store/testing.tsx';
import { askWhen } from '../placing.ts';

const editor = () => useEditor.getState();
const nodes = twoNodes.map((node) => (node.id === 'a' ? { ...node, type: 'router' } : node));
const draw = (port: string) => {
  editor().gesture('Connect', (records) => connect(records, 'a', port, 'b'));
  askWhen();
};

it('shows the form of a branch that was just drawn, of no other wire', () => {
  loadDraft({ nodes, edges: [] });
  draw(MAIN);
  expect(selectedEdgeIds()).toEqual([]);

  draw(NEW_BRANCH);

  const [id = ''] = selectedEdgeIds();
  expect(editor().records.edges.get(id)).toMatchObject({ source: 'a', condition: '' });
});

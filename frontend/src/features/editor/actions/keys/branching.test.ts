import { beforeEach, expect, it } from 'vitest';
import { useEditor } from '../../../../store/editor.ts';
import { loadDraft, twoNodes } from '../../../../store/testing.tsx';
import { branching } from './branching.ts';

const editor = () => useEditor.getState();
const properties = {
  urgent: { type: 'boolean' },
  level: { type: 'string', enum: ['senior', 'junior'] },
};
const nodes = twoNodes.map((node) => ({ ...node, write_keys: ['level'] }));
const edges = [
  { id: 'in', source: '__start__', target: 'a' },
  { id: 'ab', source: 'a', target: 'b', condition: "memory.level == 'senior'" },
];
const draft = { nodes, edges, state_schema: { type: 'object', properties } };

function action(id: string) {
  const found = branching().find((entry) => entry.id === `editor.${id}`);
  if (!found) throw new Error(`no action ${id}`);
  return found;
}
const can = (id: string) => action(id).enabled?.() !== false;
const ports = (id: string) =>
  editor().nodes.flatMap((node) =>
    node.type === 'card' && node.id === id ? node.data.ports.map(({ label }) => label) : [],
  );

beforeEach(() => loadDraft(draft));

it('branches by one field after another, those that the node gives first, then by none', () => {
  editor().select(['b']);
  const seen = [1, 2, 3].map(() => {
    action('branch').run();
    return ports('b');
  });

  expect(seen).toEqual([
    ['senior', 'junior', 'Otherwise'],
    ['urgent: yes', 'urgent: no', 'Otherwise'],
    ['Completed'],
  ]);
});

it('takes all wires that fit and again the first, each one undo step', () => {
  editor().select(['a']);
  const taken = () => editor().records.nodes.get('a')?.branching;

  action('take-all').run();
  expect(taken()).toBe('all');
  action('take-all').run();
  expect(taken()).toBeUndefined();
  editor().undo();
  expect(taken()).toBe('all');
});

it('is offered where there is something to choose, to those who may change it', () => {
  expect([can('branch'), can('take-all')]).toEqual([false, false]);
  editor().select(['b']);
  expect([can('branch'), can('take-all')]).toEqual([true, false]);
  editor().select(['a', 'b']);
  expect([can('branch'), can('take-all')]).toEqual([false, false]);

  loadDraft(draft, { can: { edit: false, publish: false, run: false } });
  editor().select(['a']);
  expect([can('branch'), can('take-all')]).toEqual([false, false]);
});

import { beforeEach, expect, test } from 'vitest';
import type { Action } from '../../../actions/registry.ts';
import type { GraphDetail } from '../../../api/types/types.ts';
import { kindOfSelection } from '../../../canvas/menuRequest.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { useEditor } from '../../../store/editor.ts';
import { menuLines, menuTitle } from './menuItems.ts';

const action = (id: string, more: Partial<Action> = {}): Action => ({
  id,
  label: `${id} in words`,
  group: 'Test',
  run: () => undefined,
  ...more,
});

beforeEach(() => {
  const detail = {
    id: 'g',
    name: 'G',
    revision: 1,
    can: { edit: true, publish: true, run: true },
    problems: [],
    document: {
      graphwright: 1,
      id: 'g',
      nodes: [
        { id: 'a', type: 'step', label: 'First', disabled: true },
        { id: 'b', type: 'step' },
      ],
      edges: [{ id: 'ab', source: 'a', target: 'b' }],
      notes: [
        { id: 'f', kind: 'frame', text: 'Group', position: { x: 0, y: 0 } },
        { id: 'n', kind: 'note', text: '', position: { x: 0, y: 0 } },
      ],
    },
  } as unknown as GraphDetail;
  useEditor.getState().load(detail, new Map([['step', nodeType('step')]]));
});

test.each([
  [['a'], 'node'],
  [['f', 'a'], 'node'],
  [['f'], 'frame'],
  [['n'], 'note'],
  [['ab'], 'wire'],
  [[], 'canvas'],
] as const)('the menu of %j is that of a %s', (ids, kind) => {
  useEditor.getState().select(ids);
  expect(kindOfSelection()).toBe(kind);
});

test('a menu has the registered actions that can be done now, in groups, and no empty group', () => {
  const lines = menuLines('wire', [
    action('editor.insert'),
    action('editor.condition', { enabled: () => false }),
    action('editor.delete', { enabled: () => true }),
    action('editor.note'),
  ]);
  expect(lines.map((group) => group.map((line) => line.label))).toEqual([
    ['editor.insert in words'],
    ['editor.delete in words'],
  ]);
  expect(menuLines('wire', [action('editor.delete')])).toHaveLength(1);
});

test('the inner of two actions of one id is the one', () => {
  const lines = menuLines('wire', [
    action('editor.insert', { label: 'Outer' }),
    action('editor.insert', { label: 'Inner' }),
  ]);
  expect(lines.map((group) => group.map((line) => line.label))).toEqual([['Inner']]);
});

test('what can do nothing for what is chosen is offered with the reason', () => {
  const said = (whyNot: string | null) =>
    menuLines('node', [action('editor.extract', { whyNot: () => whyNot })])[0]?.[0]?.whyNot;
  expect([said('Not these.'), said(null)]).toEqual(['Not these.', null]);
  expect(menuLines('node', [action('editor.extract')])[0]?.[0]?.whyNot).toBeNull();
});

test('a menu says what would happen to what is chosen', () => {
  const word = () => menuLines('node', [action('editor.disable')])[0]?.[0]?.label;
  useEditor.getState().select(['a']);
  expect([word(), menuTitle('node')]).toEqual(['Enable', 'First']);
  useEditor.getState().select(['a', 'b']);
  expect([word(), menuTitle('node')]).toEqual(['Disable', '2 selected']);
  expect(menuLines('note', [action('editor.rename')])[0]?.[0]?.label).toBe('Write');
});

import { beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../../api/types/types.ts';
import { askWhen, placeNode } from '../../../canvas/placing.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { NEW_BRANCH } from '../../../graph/schema/ports.ts';
import { selectedEdgeIds, useEditor } from '../../../store/editor.ts';
import { loadDraft, twoNodes } from '../../../store/testing.tsx';
import { justMade, touchAll, useUntouched } from '../../../store/untouched.ts';
import { isNeed, quieted } from './needs.ts';
import { countsOf } from './problemCount.ts';

const missing = (node: string, say?: string): Problem => ({
  severity: 'error',
  code: 'MissingField',
  message: '"url" is required.',
  path: 'nodes[0].config.url',
  node,
  ...(say ? { say } : {}),
});
const records = () => useEditor.getState().records;
const untouched = () => [...useUntouched.getState().ids];

beforeEach(() => {
  touchAll();
  loadDraft();
});

test('what a new node lacks is said quietly, and is no error', () => {
  const found = quieted(
    [missing('a', 'My needs: cup needs: Address.'), missing('b')],
    new Set('a'),
    records(),
  );

  expect(found.map(({ severity, say }) => [severity, say])).toEqual([
    ['hint', 'Needs: Address'],
    ['error', undefined],
  ]);
  expect(found.map(isNeed)).toEqual([true, false]);
  expect(countsOf(found).errors).toBe(1);
  expect(quieted([missing('a')], new Set('a'), records())[0]?.say).toBe('Needs: url');
});

test('what else is wrong with it stays what it is', () => {
  const wrong: Problem = { ...missing('a'), code: 'InvalidValue' };

  expect(quieted([wrong], new Set('a'), records())).toEqual([wrong]);
});

test('a node is left when the selection goes elsewhere', () => {
  useEditor.getState().select(['a']);
  justMade('a');
  useEditor.getState().gesture('Title', (records) => records);
  expect(untouched()).toEqual(['a']);

  useEditor.getState().select(['b']);
  expect(untouched()).toEqual([]);
  useEditor.getState().select(['a']);
  expect(untouched()).toEqual([]);
});

test('a run or a version counts everything', () => {
  useEditor.getState().select(['a']);
  justMade('a');

  touchAll();

  expect(untouched()).toEqual([]);
});

test('behind a condition that is to be said first, a new node and its wire are not left', () => {
  const type = nodeType('step');
  loadDraft({ nodes: twoNodes.map((node) => ({ ...node, type: 'router' })) });
  const made = placeNode(type, { x: 0, y: 0 }, { node: 'a', port: NEW_BRANCH, direction: 'from' });
  askWhen();
  const [wire = ''] = selectedEdgeIds();
  expect(untouched()).toEqual([made, wire]);
  const unsaid: Problem = {
    ...{ severity: 'error', code: 'ExpressionInvalid', message: 'Empty.', path: '', edge: wire },
  };
  expect(quieted([unsaid, missing(made)], new Set(untouched()), records())).toMatchObject([
    { severity: 'hint', say: 'Needs: when it is taken' },
    { severity: 'hint' },
  ]);

  useEditor.getState().select([]);
  expect(untouched()).toEqual([made]);
  useEditor.getState().select([made]);
  useEditor.getState().select([]);
  expect(untouched()).toEqual([]);
});

test('an unsaid condition of a wire that was left, and another fault, stay what they are', () => {
  const fault = { severity: 'error' as const, code: 'ExpressionInvalid', message: '', path: '' };
  const edges = new Map([['e', { id: 'e', source: 'a', target: 'b', condition: 'x ==' }]]);

  expect(quieted([{ ...fault, edge: 'e' }], new Set('e'), { edges })[0]?.severity).toBe('error');
  expect(quieted([{ ...fault, edge: 'f' }], new Set('e'), { edges })[0]?.severity).toBe('error');
});

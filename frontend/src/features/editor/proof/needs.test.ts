import { beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft } from '../../../store/testing.tsx';
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
const untouched = () => [...useUntouched.getState().ids];

beforeEach(() => {
  touchAll();
  loadDraft();
});

test('what a new node lacks is said quietly, and is no error', () => {
  const found = quieted(
    [missing('a', 'My needs: cup needs: Address.'), missing('b')],
    new Set('a'),
  );

  expect(found.map(({ severity, say }) => [severity, say])).toEqual([
    ['hint', 'Needs: Address'],
    ['error', undefined],
  ]);
  expect(found.map(isNeed)).toEqual([true, false]);
  expect(countsOf(found).errors).toBe(1);
  expect(quieted([missing('a')], new Set('a'))[0]?.say).toBe('Needs: url');
});

test('what else is wrong with it stays what it is', () => {
  const wrong: Problem = { ...missing('a'), code: 'InvalidValue' };

  expect(quieted([wrong], new Set('a'))).toEqual([wrong]);
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

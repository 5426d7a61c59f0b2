import { beforeEach, expect, it } from 'vitest';
import type { Problem } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { loadDraft } from '../../../../store/testing.tsx';
import { justMade, touchAll } from '../../../../store/untouched.ts';
import { nextProblem, shownProblems } from './problems.ts';

const problem = (node: string, code: string, severity: Problem['severity']): Problem => ({
  node,
  code,
  severity,
  message: `${code} of ${node}`,
  path: `nodes.${node}`,
});
const have = (...problems: Problem[]) => useEditor.setState({ problems });
const hint = problem('a', 'NoHumanDescription', 'hint');
const wrong = problem('a', 'InvalidValue', 'error');
const odd = problem('b', 'WildcardRead', 'warning');

beforeEach(() => {
  touchAll();
  loadDraft({}, { id: String(Math.random()) });
});

it('goes from the worst to the least, and round', () => {
  have(hint, odd, wrong);
  expect([1, 2, 3, 4].map(() => nextProblem())).toEqual([wrong, odd, hint, wrong]);
});

it('goes through all that one field says, also where two say the same', () => {
  const names = ['one', 'two', 'two'].map((message) => ({ ...wrong, message }));
  have(...names, odd);
  const walked = [1, 2, 3, 4, 5].map(() => nextProblem());
  expect(walked).toEqual([...names, odd, names[0]]);
});

it('goes on at the same place where the last one is mended', () => {
  have(hint, odd, wrong);
  nextProblem();
  have(hint, odd);
  expect(nextProblem()).toBe(odd);
  have(hint);
  expect(nextProblem()).toBe(hint);
  have();
  expect(nextProblem()).toBeUndefined();
});

it('goes to what the panel lists: one for a cause, and what a new node lacks last', () => {
  useEditor.getState().select(['a']);
  justMade('a');
  have(problem('a', 'MissingField', 'error'), odd);
  expect([nextProblem()?.node, nextProblem()?.severity]).toEqual(['b', 'hint']);

  have(problem('a', 'UnreachableNode', 'warning'), problem('b', 'UnreachableNode', 'warning'));
  expect(shownProblems()).toHaveLength(1);
});

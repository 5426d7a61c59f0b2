import { beforeEach, expect, test } from 'vitest';
import type { Cure, Problem } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft } from '../../../store/testing.tsx';
import { curable, cureOf } from './cures.ts';

const allow = (node: string, key: string): Cure => ({
  label: `Allow reading ${key}`,
  edits: [{ op: 'add', part: 'node', id: node, path: ['read_keys'], value: key }],
});
const openModels: Cure = { label: 'Open the models', edits: [], settings: 'models' };
const problem = (node: string, fixes: Cure[], more: Partial<Problem> = {}): Problem => ({
  severity: 'error',
  code: 'UnreadableKey',
  message: 'No grant.',
  path: 'nodes[0]',
  node,
  fixes,
  ...more,
});
const reads = (id: string) => useEditor.getState().records.nodes.get(id)?.read_keys;

beforeEach(() => loadDraft());

test('the first cure of every problem is one undo step, and each label is said once', () => {
  const cure = cureOf([
    problem('a', [allow('a', 'input'), allow('a', '*')], { say: 'A may not read input yet.' }),
    problem('b', [allow('b', 'input')]),
  ]);

  expect([cure?.words, cure?.why]).toEqual(['Allow reading input', 'A may not read input yet.']);
  cure?.apply();
  expect([reads('a'), reads('b')]).toEqual([['input'], ['input']]);
  useEditor.getState().undo();
  expect([reads('a') ?? [], reads('b') ?? []]).toEqual([[], []]);
});

test('without words for people the message says why', () => {
  expect(cureOf([problem('a', [allow('a', 'input')])])?.why).toBe('No grant.');
});

test('where one of the problems has no edit there is no cure for all', () => {
  const good = problem('a', [allow('a', 'input')]);

  expect(cureOf([])).toBeNull();
  expect(cureOf([good, problem('b', [])])).toBeNull();
  expect(cureOf([good, problem('b', [openModels])])).toBeNull();
});

test('a way to another page is passed over for a cure that edits', () => {
  expect(cureOf([problem('a', [openModels, allow('a', 'input')])])?.words).toBe(
    'Allow reading input',
  );
});

test('who may not edit has no cure', () => {
  loadDraft({}, { can: { edit: false, publish: false, run: true } } as never);

  expect(cureOf([problem('a', [allow('a', 'input')])])).toBeNull();
});

test('curable is what an edit mends at the node, and no advice', () => {
  const fixes = [allow('a', 'input')];
  const here = problem('a', fixes);
  const warning = problem('a', fixes, { severity: 'warning' });

  expect(
    curable(
      [
        here,
        warning,
        problem('b', fixes),
        problem('a', fixes, { severity: 'hint' }),
        problem('a', [openModels]),
        problem('a', []),
      ],
      'a',
    ),
  ).toEqual([here, warning]);
});

test('a cure that gives the start another field is told apart: a retry would lack it again', () => {
  const add: Cure = {
    label: 'Add start field cv',
    edits: [
      {
        op: 'set',
        part: 'graph',
        id: '',
        path: ['interface', 'inputs', 'properties', 'cv'],
        value: { type: 'string' },
      },
    ],
  };

  expect(cureOf([problem('a', [add])])).toMatchObject({ words: 'Add start field cv', asks: true });
  expect(cureOf([problem('a', [allow('a', 'input')])])?.asks).toBe(false);
});

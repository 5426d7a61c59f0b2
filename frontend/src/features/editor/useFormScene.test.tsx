// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NodeDoc, Problem } from '../../api/types/types.ts';
import { nodeType } from '../../graph/document/testing.ts';
import type { Subject } from '../../inspector/subject.ts';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, serve, twoNodes } from '../../store/testing.tsx';
import { useFormScene, useNames } from './useFormScene.ts';

const [first, second] = twoNodes as [NodeDoc, NodeDoc];
const page = (results: unknown[]) => ({ results, next: null });
const answers = {
  'GET agents/': page([{ id: 'writer', name: 'Writer', model: 'm' }]),
  'GET tools/': page([{ name: 'add' }]),
  'GET functions/': page([]),
  'GET credentials/': page([]),
  'GET models/': { models: [{ id: 'local/default' }] },
  'GET graphs/': page([
    { slug: 'g', name: 'This one' },
    { slug: 'other', name: 'Other' },
  ]),
};
const problem = (message: string, more: Partial<Problem>) =>
  ({ severity: 'error', code: 'X', message, path: '', ...more }) as Problem;

function read<T>(use: () => T) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(use, { wrapper }).result;
}

async function sceneOf(subject: Subject) {
  const scene = read(() => useFormScene(subject));
  if (subject) await waitFor(() => expect(scene.current.graphs.length).toBeGreaterThan(0));
  if (subject) await waitFor(() => expect(scene.current.tools.length).toBeGreaterThan(0));
  return scene.current;
}

beforeEach(() => {
  serve(answers);
  loadDraft(
    {
      nodes: [{ ...first, write_keys: ['topic'] }, second],
      agents: [{ id: 'writer', model: 'own' }, { id: 'editor' }],
    },
    {
      problems: [
        problem('of a', { node: 'a' }),
        problem('of ab', { edge: 'ab' }),
        problem('of the graph', {}),
      ],
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a node is offered the other nodes, other graphs, and keys that somebody writes', async () => {
  const scene = await sceneOf({ kind: 'node', id: 'b' });

  expect(scene.nodes).toEqual([{ value: 'a', label: 'A', hint: 'step' }]);
  expect(scene.graphs).toEqual([{ value: 'other', label: 'Other', hint: 'other' }]);
  expect(scene.keys.find(({ key }) => key === 'topic')?.writers).toEqual(['A']);
  expect(scene.tools.map(({ name }) => name)).toEqual(['add']);
});

test('the agents of the workspace win over those that the graph brings along', async () => {
  const { agents } = await sceneOf({ kind: 'graph' });

  expect(agents.map(({ id, name, model }) => [id, name, model])).toEqual([
    ['writer', 'Writer', 'm'],
    ['editor', 'editor', 'local/default'],
  ]);
});

test.each([
  [{ kind: 'node', id: 'a' }, ['of a']],
  [{ kind: 'node', id: 'b' }, []],
  [{ kind: 'edge', id: 'ab' }, ['of ab']],
  [{ kind: 'graph' }, ['of the graph']],
] as [Subject, string[]][])('%o has the problems of its own', async (subject, expected) => {
  const { problems } = await sceneOf(subject);

  expect(problems.map(({ message }) => message)).toEqual(expected);
});

test('only a node whose type asks a model has a prompt that was sent', async () => {
  expect((await sceneOf({ kind: 'node', id: 'a' })).prompting).toBeNull();
  cleanup();
  const asking = { ...nodeType('step'), prompts: true };
  useEditor.setState({ types: new Map([['step', asking]]) });

  expect((await sceneOf({ kind: 'node', id: 'a' })).prompting).toEqual({ graph: 'g1', node: 'a' });
});

test('who may not edit gets a form that is only read, and nothing chosen is no form', async () => {
  loadDraft({}, { can: { edit: false, publish: false, run: false } });
  expect((await sceneOf({ kind: 'graph' })).readOnly).toBe(true);
  cleanup();

  expect((await sceneOf(null)).nodes).toEqual([]);
});

test('cards name agents and graphs as people do', async () => {
  const names = read(() => useNames());
  await waitFor(() => expect(names.current('graph', 'other')).toBe('Other'));

  await waitFor(() => expect(names.current('agent', 'writer')).toBe('Writer'));
  expect(names.current('agent', 'editor')).toBe('editor');
  expect(names.current('tool', 'add')).toBeUndefined();
  expect(names.current('graph', 'nowhere')).toBeUndefined();
});

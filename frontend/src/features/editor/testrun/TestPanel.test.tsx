// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JsonSchema, RunDetail } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import {
  type Call,
  loadDraft,
  Refused,
  saved,
  serve,
  show,
  stubBrowser,
} from '../../../store/testing.tsx';
import { createRunStore } from '../../../run/replay/store.ts';
import { CureButton } from './FailedNode.tsx';
import { TestPanel } from './TestPanel.tsx';
import { beginTesting, closePanel, openPanel, resizePanel, useTesting } from './testing.ts';
import type { TestRun } from './useTestRun.ts';

const live = { store: createRunStore(), hearing: 'live' as const, error: null, retry: vi.fn() };
const none: TestRun = { live, run: null, behind: { live, run: null } };
const noop = vi.fn();
const showProblems = vi.fn();
const open = (until: string | null = null) => {
  beginTesting('g1');
  openPanel('input', until);
  show(
    <TestPanel
      test={none}
      folded={false}
      onUsed={noop}
      onNode={noop}
      onStop={noop}
      onClosed={noop}
      onProblems={showProblems}
    />,
  );
};

const started = (calls: readonly Call[]) =>
  calls.find((call) => call.path.endsWith('/runs/'))?.body;
const answers = { 'PATCH graphs/g1/draft/': saved(1), 'POST graphs/g1/runs/': { id: 'r1' } };
const start = () => fireEvent.click(screen.getByRole('button', { name: /^Run/ }));
const write = (name: string | RegExp, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
const kinds = () => screen.getAllByRole('radio').map((radio) => radio.getAttribute('value'));
const declared = (inputs: JsonSchema) => loadDraft({ interface: { inputs } });

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
  loadDraft();
});
afterEach(() => {
  cleanup();
  useEditor.setState({ graphId: '' });
  vi.unstubAllGlobals();
});

test('the panel is open where it was left open, and as high everywhere', () => {
  const isOpen = (id: string) => {
    beginTesting(id);
    return useTesting.getState().open;
  };
  localStorage.setItem('graphwright.run-panel', JSON.stringify({ open: true, height: 300 }));
  expect(isOpen('g1')).toBe(false);
  openPanel('input');
  resizePanel(420);
  expect([isOpen('g2'), useTesting.getState().height]).toEqual([false, 420]);
  openPanel('input');
  expect([isOpen('g1'), isOpen('g3')]).toEqual([true, false]);
  isOpen('g1');
  closePanel();
  expect([isOpen('g2'), isOpen('g1')]).toEqual([true, false]);
  expect(JSON.parse(localStorage.getItem('graphwright.run-panel') ?? '')).toEqual({
    height: 420,
    openIn: ['g2'],
  });
  resizePanel(300);
});

test('a text starts a run of the draft, after it is saved', async () => {
  const calls = serve(answers);
  open();
  expect(kinds()).toEqual(['text', 'json']);
  write('Input', 'Hello');
  start();

  await waitFor(() => expect(started(calls)).toEqual({ draft: true, input: 'Hello' }));
  const sent = calls.filter(({ method }) => method !== 'GET').map(({ path }) => path);
  expect(sent).toEqual(['graphs/g1/draft/', 'graphs/g1/runs/']);
});

test('how often the draft was tried today leads to these runs', async () => {
  serve({ ...answers, 'GET runs/': { results: [], next: null, total: 3, total_is_more: false } });
  open();

  const link = await screen.findByRole('link', { name: '3 tests today' });
  const query = new URLSearchParams(link.getAttribute('href')?.split('?')[1]);
  expect([query.get('graph'), query.get('tests')]).toEqual(['g1', 'true']);
  expect(Date.parse(query.get('since') ?? '')).toBe(new Date().setHours(0, 0, 0, 0));
});

test('a budget is digits and a dot, and goes along', async () => {
  const calls = serve(answers);
  open();
  expect(screen.getByText('Budget of this run')).toBeVisible();
  write('Budget of this run', '$0.5x0');
  start();

  await waitFor(() => expect(started(calls)).toMatchObject({ budget_usd: '0.50' }));
});

test('only JSON starts a run with JSON', async () => {
  const calls = serve(answers);
  open();
  fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
  write('Input', '{"a":');
  start();
  expect(screen.getByText(/^It ends too early/)).toBeInTheDocument();
  expect(screen.getByText(/^Not started: It ends too early/)).toBeInTheDocument();
  expect(started(calls)).toBeUndefined();

  write('Input', '{"a": 1}');
  start();
  await waitFor(() => expect(started(calls)).toMatchObject({ input: { a: 1 } }));
});

test('declared inputs have a form, which begins with the first example', async () => {
  const calls = serve(answers);
  declared({ properties: { name: { type: 'string' } }, examples: [{ name: 'Ada' }] });
  open();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada');
  write('Name', 'Bob');
  start();

  await waitFor(() => expect(started(calls)).toMatchObject({ input: { name: 'Bob' } }));
});

test.each([
  ['a text', 'Hi', 'Hi'],
  ['a list', [1, 2], '[\n  1,\n  2\n]'],
])('an example that is %s begins in the form that suits it', (_, example, shown) => {
  declared({ examples: [example] });
  open();

  expect(screen.getByRole('textbox', { name: 'Input' })).toHaveValue(shown);
});

test('the next run begins with the input of the last, also where the form is gone since', async () => {
  const calls = serve(answers);
  declared({ properties: { name: { type: 'string' } } });
  open();
  write('Name', 'Ada');
  start();
  await waitFor(() => expect(started(calls)).toBeDefined());
  cleanup();

  open();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada');
  cleanup();
  loadDraft();
  open();
  expect(kinds()).toEqual(['text', 'json']);
  expect(screen.getByRole('radio', { name: 'Text' })).toBeChecked();
});

test('a run to a node says where it stops and sends it', async () => {
  const calls = serve(answers);
  open('a');
  fireEvent.click(screen.getByRole('button', { name: 'Run to “A”' }));

  await waitFor(() => expect(started(calls)).toMatchObject({ until: 'a' }));
});

test('a draft that cannot run says why', async () => {
  const problem = {
    severity: 'error',
    code: 'UnknownAgent',
    message: 'agent_id is nobody.',
    say: 'Nobody.',
    path: 'nodes[0]',
  };
  serve({
    ...answers,
    'POST graphs/g1/runs/': new Refused(422, { detail: 'It has errors.', problems: [problem] }),
  });
  open();
  start();

  expect(await screen.findByRole('alert')).toHaveTextContent('It has errors.Nobody.');
  expect(screen.getByRole('status')).toHaveTextContent('Not started: see the problems');
  fireEvent.click(screen.getByRole('button', { name: 'see the problems' }));
  expect(showProblems).toHaveBeenCalledOnce();
});

test('where the refusal has a cure, one click cures the draft and runs it', async () => {
  const problem = {
    severity: 'error',
    code: 'UnreadableKey',
    message: 'a has no grant.',
    say: 'A may not read input yet.',
    path: 'nodes[0]',
    node: 'a',
    fixes: [
      {
        label: 'Allow reading input',
        edits: [{ op: 'add', part: 'node', id: 'a', path: ['read_keys'], value: 'input' }],
      },
    ],
  };
  const granted = () => useEditor.getState().records.nodes.get('a')?.read_keys;
  const refused = new Refused(422, { detail: 'It has errors.', problems: [problem] });
  const calls = serve({
    ...answers,
    'POST graphs/g1/runs/': () => (granted() ? { id: 'r1' } : refused),
  });
  open();
  start();

  expect(await screen.findByRole('alert')).toHaveTextContent('A: A may not read input yet.');
  fireEvent.click(screen.getByRole('button', { name: 'Allow reading input and run' }));

  await waitFor(() => expect(useTesting.getState().runId).toBe('r1'));
  expect(granted()).toEqual(['input']);
  const sent = calls.filter(({ method }) => method !== 'GET').map(({ path }) => path);
  expect(sent.slice(-2)).toEqual(['graphs/g1/draft/', 'graphs/g1/runs/']);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('where the cure of a refusal is another start field, its value is entered before a run', async () => {
  const path = ['interface', 'inputs', 'properties', 'cv'];
  const value = { type: 'string' };
  const fixes = [
    { label: 'Add start field cv', edits: [{ op: 'set', part: 'graph', id: '', path, value }] },
  ];
  const problem = {
    severity: 'error',
    code: 'MissingReference',
    message: 'No cv.',
    node: 'a',
    fixes,
  };
  const refused = new Refused(422, { detail: 'It has errors.', problems: [problem] });
  const calls = serve({ ...answers, 'POST graphs/g1/runs/': () => refused });
  open();
  write('Input', 'what was entered before');
  start();
  fireEvent.click(await screen.findByRole('button', { name: 'Add start field cv' }));

  await waitFor(() => expect(screen.getByRole('textbox', { name: /cv/i })).toHaveFocus());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(calls.filter(({ path }) => path.endsWith('/runs/') && path !== 'runs/')).toHaveLength(1);
});

test('a failed node whose cure asks for more is cured, and the input is shown to enter it', () => {
  const path = ['interface', 'inputs', 'properties', 'cv'];
  const edits = [
    { op: 'set' as const, part: 'graph' as const, id: '', path, value: { type: 'string' } },
  ];
  const fixes = [{ label: 'Add start field cv', edits }];
  const lacks = {
    severity: 'warning' as const,
    code: 'UnknownReference',
    message: 'No cv.',
    path: '',
  };
  useEditor.setState({ problems: [{ ...lacks, node: 'a', fixes }] });
  beginTesting('g1');
  openPanel('node');
  const run = { id: 'r1', can: { retry: true }, document: { nodes: [] } } as unknown as RunDetail;
  show(<CureButton run={run} node="a" />);

  fireEvent.click(screen.getByRole('button', { name: 'Add start field cv' }));

  return waitFor(() => {
    expect(useTesting.getState().tab).toBe('input');
    const { settings } = useEditor.getState().records;
    expect(settings.interface?.inputs?.properties).toEqual({ cv: { type: 'string' } });
  });
});

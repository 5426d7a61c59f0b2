// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JsonSchema } from '../../../api/types/types.ts';
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
import { TestRunDialog } from './TestRunDialog.tsx';

const started = (calls: readonly Call[]) =>
  calls.find((call) => call.path.endsWith('/runs/'))?.body;
const answers = { 'PATCH graphs/g1/draft/': saved(1), 'POST graphs/g1/runs/': { id: 'r1' } };
const start = () => fireEvent.click(screen.getByRole('button', { name: 'Run the draft' }));
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

test('a text starts a run of the draft, after it is saved', async () => {
  const calls = serve(answers);
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
  expect(kinds()).toEqual(['text', 'json']);
  write('Input', 'Hello');
  start();

  await waitFor(() => expect(started(calls)).toEqual({ draft: true, input: 'Hello' }));
  expect(calls.map(({ path }) => path)).toEqual(['graphs/g1/draft/', 'graphs/g1/runs/']);
});

test('a budget is digits and a dot, and goes along', async () => {
  const calls = serve(answers);
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
  write(/^Budget/, '$0.5x0');
  start();

  await waitFor(() => expect(started(calls)).toMatchObject({ budget_usd: '0.50' }));
});

test('only JSON starts a run with JSON', async () => {
  const calls = serve(answers);
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
  fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
  write('Input', '{"a":');
  expect(screen.getByRole('button', { name: 'Run the draft' })).toBeDisabled();

  write('Input', '{"a": 1}');
  start();
  await waitFor(() => expect(started(calls)).toMatchObject({ input: { a: 1 } }));
});

test('declared inputs have a form, which begins with the first example', async () => {
  const calls = serve(answers);
  declared({ properties: { name: { type: 'string' } }, examples: [{ name: 'Ada' }] });
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
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
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);

  expect(screen.getByRole('textbox', { name: 'Input' })).toHaveValue(shown);
});

test('the next run begins with the input of the last, also where the form is gone since', async () => {
  const calls = serve(answers);
  declared({ properties: { name: { type: 'string' } } });
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
  write('Name', 'Ada');
  start();
  await waitFor(() => expect(started(calls)).toBeDefined());
  cleanup();

  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada');
  cleanup();
  loadDraft();
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
  expect(kinds()).toEqual(['text', 'json']);
  expect(screen.getByRole('radio', { name: 'Text' })).toBeChecked();
});

test('a run to a node says where it stops and sends it', async () => {
  const calls = serve(answers);
  show(<TestRunDialog graphId="g1" until="a" onClose={vi.fn()} />);
  expect(screen.getByText(/Once “A” has completed/)).toBeInTheDocument();
  start();

  await waitFor(() => expect(started(calls)).toMatchObject({ until: 'a' }));
});

test('a draft that cannot run says why', async () => {
  const problem = { severity: 'error', code: 'UnknownAgent', message: 'Nobody.', path: 'nodes[0]' };
  serve({
    ...answers,
    'POST graphs/g1/runs/': new Refused(422, { detail: 'It has errors.', problems: [problem] }),
  });
  show(<TestRunDialog graphId="g1" onClose={vi.fn()} />);
  start();

  expect(await screen.findByRole('alert')).toHaveTextContent('It has errors. Nobody.');
});

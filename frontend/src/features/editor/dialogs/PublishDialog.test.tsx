// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NodeDoc, Problem } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import {
  loadDraft,
  Refused,
  saved,
  serve,
  show,
  stubBrowser,
  twoNodes,
} from '../../../store/testing.tsx';
import { PublishDialog } from './PublishDialog.tsx';

const problem = (severity: Problem['severity'], message: string): Problem =>
  ({ severity, code: 'X', message, path: 'nodes[0]', node: 'a' }) as Problem;
const version = { number: 3, published_at: '2026-01-01T00:00:00Z', note: '', hash: 'h' };
const LONG = { timeout: 4_000 };
const answers = { 'PATCH graphs/g1/draft/': saved(7), 'POST graphs/g1/publish/': version };

function open(live: number | null = null) {
  const heard = { onClose: vi.fn(), onProblems: vi.fn(), onPublished: vi.fn() };
  show(<PublishDialog graphId="g1" live={live} {...heard} />);
  return heard;
}
const publish = () => screen.getByRole('button', { name: 'Publish' });

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  useEditor.setState({ graphId: '' });
  vi.unstubAllGlobals();
});

test('the draft is saved, then published as it is now, with the note', async () => {
  const calls = serve(answers);
  const heard = open();
  fireEvent.change(screen.getByRole('textbox', { name: 'What changed' }), {
    target: { value: 'Shorter' },
  });
  fireEvent.click(publish());

  await waitFor(() => expect(heard.onPublished).toHaveBeenCalledWith(version));
  expect(calls.at(-1)).toEqual({
    method: 'POST',
    path: 'graphs/g1/publish/',
    body: { note: 'Shorter', revision: 7 },
  });
  expect(heard.onClose).toHaveBeenCalledOnce();
});

test('errors come first, and lead to the list of problems', () => {
  loadDraft({}, { problems: [problem('error', 'Nobody is asked.'), problem('warning', 'Hm.')] });
  const heard = open();

  expect(screen.getByText('1 error to fix first')).toBeInTheDocument();
  expect(screen.getByText('Nobody is asked.')).toBeInTheDocument();
  expect(publish()).toBeDisabled();
  fireEvent.click(screen.getByRole('button', { name: 'Show problems' }));
  expect(heard.onProblems).toHaveBeenCalledOnce();
});

test.each([
  [1, 'There is 1 warning.'],
  [2, 'There are 2 warnings.'],
])('%i warnings are told and stop nobody', (count, words) => {
  loadDraft({}, { problems: Array.from({ length: count }, () => problem('warning', 'Hm.')) });
  open();

  expect(screen.getByText(new RegExp(words))).toBeInTheDocument();
  expect(publish()).toBeEnabled();
});

test('what the server finds is shown, and the page knows it from then on', async () => {
  const found = problem('error', 'A guard is missing.');
  serve({
    ...answers,
    'POST graphs/g1/publish/': new Refused(422, { detail: 'It has errors.', problems: [found] }),
  });
  const heard = open();
  fireEvent.click(publish());

  expect(await screen.findByText('It has errors.')).toBeInTheDocument();
  expect(useEditor.getState().problems).toEqual([found]);
  expect(screen.getByText('1 error to fix first')).toBeInTheDocument();
  expect(heard.onPublished).not.toHaveBeenCalled();
});

test('what changed since the live version is told', async () => {
  const [first, second] = twoNodes as [NodeDoc, NodeDoc];
  const document = {
    graphwright: 1,
    id: 'g',
    nodes: [{ ...first, label: 'Before' }, second],
    edges: [],
  };
  serve({ 'GET graphs/g1/versions/2/': { ...version, number: 2, document } });
  open(2);

  const changes = await screen.findByRole('region', { name: 'Changes since version 2' });
  await waitFor(() => expect(changes).toHaveTextContent('Before'));
  expect(changes).toHaveTextContent('Since version 2');
});

test('an approval that comes while the dialog is open is told, and nothing is asked again', async () => {
  const request = { state: 'open', revision: 1, version: null, run: 'r', published: null };
  const asked = { ...request, asked_by: { id: 'u', name: 'Ada' }, asked_at: version.published_at };
  const approved = { ...asked, state: 'published', decided_by: { id: 'g', name: 'Grace' } };
  let now: unknown = asked;
  serve({
    'GET graphs/g1/publication/': () => ({ asks: ['role:reviewer'], request: now }),
    'GET graphs/g1/versions/3/': version,
  });
  const heard = open(2);
  expect(await screen.findByText(/waits for approval/)).toBeInTheDocument();
  expect(screen.getByText(/^Once it is approved, runs that start/)).toBeVisible();

  now = { ...approved, published: 3 };

  expect(await screen.findByText(/Grace approved it: version 3 is live/, {}, LONG)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Ask for approval' })).toBeNull();
  await waitFor(() => expect(heard.onPublished).toHaveBeenCalledWith(version));
});

test('what was said of rejected changes stands there when they are asked for again', async () => {
  const decided = {
    state: 'rejected',
    detail: 'Not today',
    decided_by: { id: 'g', name: 'Grace' },
  };
  const request = { ...decided, revision: 1, version: null, run: 'r', published: null };
  const asked = { ...request, note: 'Kinder', asked_at: version.published_at };
  serve({ 'GET graphs/g1/publication/': () => ({ asks: ['role:reviewer'], request: asked }) });
  open(2);

  const note = await screen.findByDisplayValue('Kinder');
  fireEvent.change(note, { target: { value: '' } });
  expect(note).toHaveValue('');
});

test('Ctrl+Enter publishes, and the page behind hears nothing of it', async () => {
  const calls = serve(answers);
  const heard = open();
  const note = screen.getByRole('textbox', { name: 'What changed' });
  fireEvent.keyDown(note, { key: 'Enter', ctrlKey: true });

  await waitFor(() => expect(heard.onPublished).toHaveBeenCalledWith(version));
  expect(calls.at(-1)?.path).toBe('graphs/g1/publish/');
});

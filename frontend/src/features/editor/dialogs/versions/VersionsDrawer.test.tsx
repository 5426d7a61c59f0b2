// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useEditor } from '../../../../store/editor.ts';
import { loadDraft, Refused, saved, serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { ConfirmDialog } from '../../../../ui/page/ConfirmDialog.tsx';
import { VersionsDrawer } from './VersionsDrawer.tsx';

const version = (number: number, note = '') => ({
  number,
  note,
  published_at: '2026-01-01T00:00:00Z',
  published_by: { id: 'u', name: 'Ann' },
  hash: `h${number}`,
});
const published = version(3);
const listed = { results: [version(2, 'Shorter'), version(1)], next: null };
const answers = {
  'GET graphs/g1/versions/': listed,
  'PATCH graphs/g1/draft/': saved(4),
  'GET graphs/g1/versions/1/': {
    ...version(1),
    document: { graphwright: 1, id: 'g', nodes: [], edges: [] },
  },
  'POST graphs/g1/versions/1/restore/': {},
  'POST graphs/g1/versions/1/promote/': published,
};

function open() {
  const heard = { onClose: vi.fn(), onRestored: vi.fn(), onPublished: vi.fn() };
  show(
    <>
      <VersionsDrawer graphId="g1" live={2} {...heard} />
      <ConfirmDialog />
    </>,
  );
  return heard;
}

/** Choose from the menu of a version. */
async function choose(number: number, item: string) {
  fireEvent.click(await screen.findByRole('button', { name: `More for version ${number}` }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
}

const answer = async (word: string) =>
  fireEvent.click(within(await screen.findByRole('dialog', { name: /\?$/ })).getByText(word));

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  useEditor.setState({ graphId: '' });
  vi.unstubAllGlobals();
});

test('versions are listed with their notes and who published them, and one is live', async () => {
  serve(answers);
  open();

  expect(await screen.findByText('Version 2')).toBeInTheDocument();
  expect(screen.getByText('Shorter')).toBeInTheDocument();
  expect(screen.getAllByText(/by Ann/)).toHaveLength(2);
  expect(screen.getAllByText('Live')).toHaveLength(1);
});

test('a restore is asked about, saves the draft before, and is one step of undo', async () => {
  const calls = serve(answers);
  const heard = open();
  await choose(1, 'Restore to the draft');
  expect(await screen.findByText('Restore version 1?')).toBeInTheDocument();
  expect(calls).toHaveLength(1);
  await answer('Restore');

  await waitFor(() => expect(heard.onRestored).toHaveBeenCalledOnce());
  expect(calls.slice(1).map(({ path }) => path)).toEqual([
    'graphs/g1/versions/1/',
    'graphs/g1/draft/',
    'graphs/g1/draft/',
    'graphs/g1/versions/1/restore/',
  ]);
  expect(useEditor.getState().records.nodes.size).toBe(0);
  useEditor.getState().undo();
  expect(useEditor.getState().records.nodes.size).toBeGreaterThan(0);
});

test('who does not confirm changes nothing', async () => {
  const calls = serve(answers);
  const heard = open();
  await choose(1, 'Restore to the draft');
  await answer('Cancel');

  await waitFor(() => expect(screen.queryByText('Restore version 1?')).toBeNull());
  expect(calls).toHaveLength(1);
  expect(heard.onRestored).not.toHaveBeenCalled();
});

test('an older version is made live again as a new one, and the live one is not', async () => {
  serve(answers);
  const heard = open();
  await choose(1, 'Make it live again');
  await answer('Make it live');
  await waitFor(() => expect(heard.onPublished).toHaveBeenCalledWith(published));
  cleanup();

  open();
  fireEvent.click(await screen.findByRole('button', { name: 'More for version 2' }));
  expect(await screen.findByRole('menuitem', { name: 'Make it live again' })).toBeDisabled();
});

test('those who may not edit only compare', async () => {
  loadDraft({}, { can: { edit: false, publish: false, run: false } });
  serve(answers);
  open();

  expect(await screen.findByRole('button', { name: 'More for version 1' })).toBeDisabled();
  expect(screen.getAllByRole('button', { name: 'Compare' })).toHaveLength(2);
});

test('a graph that was never published says so', async () => {
  serve({ 'GET graphs/g1/versions/': { results: [], next: null } });
  open();

  expect(await screen.findByText('Never published')).toBeInTheDocument();
});

test('why a version is not made live is told in the words for people', async () => {
  const told = vi.spyOn(notifications, 'show').mockReturnValue('');
  const problem = { severity: 'error', code: 'X', message: 'agent_id!', say: 'Nobody.', path: '' };
  serve({
    ...answers,
    'POST graphs/g1/versions/1/promote/': new Refused(422, {
      detail: 'It has errors.',
      problems: [problem],
    }),
  });
  open();
  await choose(1, 'Make it live again');
  await answer('Make it live');

  await waitFor(() =>
    expect(told).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'It has errors. Nobody.' }),
    ),
  );
  told.mockRestore();
});

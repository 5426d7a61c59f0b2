// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PresencePerson } from '../../../../api/live/realtime.ts';
import type { NodeDoc } from '../../../../api/types/types.ts';
import { withRecords } from '../../../../graph/document/diff.ts';
import { useEditor } from '../../../../store/editor.ts';
import { saveNow } from '../../../../store/saving.ts';
import {
  loadDraft,
  Refused,
  saved,
  serve,
  show,
  stubBrowser,
  twoNodes,
} from '../../../../store/testing.tsx';
import { ConflictStrip } from './ConflictStrip.tsx';

const theirs = { ...(twoNodes[0] as NodeDoc), label: 'Theirs', description: 'New' };
const stale = new Refused(409, {
  code: 'StaleRevision',
  revision: 4,
  conflicts: [{ kind: 'node', id: 'a', theirs }],
  others: saved(4).others,
});
const node = () => useEditor.getState().records.nodes.get('a');

const bea = { client: 'b', user: { id: 'u2', name: 'Bea' }, selection: ['a'] } as PresencePerson;
const strip = (
  <ConflictStrip
    people={[bea]}
    me="u1"
    onlookers={new Map([['a', [{ name: 'Bea', color: 'red' }]]])}
  />
);

/** Both renamed `a` since they last saw the same; only the others described it. */
async function inConflict() {
  let refused = false;
  const calls = serve({
    'PATCH graphs/g1/draft/': () => {
      if (refused) return saved(5);
      refused = true;
      return stale;
    },
  });
  useEditor
    .getState()
    .gesture('Rename', (records) =>
      withRecords(records, [
        { kind: 'node', id: 'a', value: { ...records.nodes.get('a'), label: 'Mine' } },
      ]),
    );
  await saveNow();
  show(strip);
  fireEvent.click(screen.getByRole('button', { name: 'See both' }));
  return calls;
}

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  useEditor.setState({ graphId: '', conflict: null });
  vi.unstubAllGlobals();
});

test('nothing is asked while everything merges', () => {
  show(strip);

  expect(screen.queryByRole('status')).toBeNull();
});

test('both sides of each field in dispute are shown, and no other field', async () => {
  await inConflict();

  expect(screen.getByText('Mine', { selector: 'span[data-lost]' })).toHaveAttribute(
    'data-lost',
    'false',
  );
  expect(screen.getByText('Theirs', { selector: 'span[data-lost]' })).toHaveAttribute(
    'data-lost',
    'true',
  );
  expect(screen.queryByText('New')).toBeNull();
});

test('what is kept is saved at the revision of the others, with their other fields', async () => {
  const calls = await inConflict();
  fireEvent.click(screen.getByRole('button', { name: 'Merge and save' }));
  await waitFor(() => expect(calls).toHaveLength(2));

  expect(node()).toMatchObject({ label: 'Mine', description: 'New' });
  expect(calls[1]?.body).toMatchObject({ revision: 4, set_nodes: [{ id: 'a', label: 'Mine' }] });
  await waitFor(() => expect(useEditor.getState().save).toBe('saved'));
});

test('all of theirs can be taken at once', async () => {
  await inConflict();
  fireEvent.click(screen.getByRole('button', { name: 'All theirs' }));
  fireEvent.click(screen.getByRole('button', { name: 'Merge and save' }));

  await waitFor(() => expect(node()).toMatchObject({ label: 'Theirs', description: 'New' }));
  expect(useEditor.getState().conflict).toBeNull();
});

test('a conflict is told beside the work, with who it was, and opens only when one asks', async () => {
  await inConflict();
  fireEvent.click(screen.getByRole('button', { name: 'Later' }));

  expect(screen.getByRole('status')).toHaveTextContent('Bea changed the label of “Mine” too.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(useEditor.getState().conflict).not.toBeNull();
});

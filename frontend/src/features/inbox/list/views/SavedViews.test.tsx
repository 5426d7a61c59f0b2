// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { Notifications, notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refused, serve, show, stubBrowser } from '../../../../store/testing.tsx';
import type { InterruptFilter } from '../../../../api/http/lists.ts';
import { useChangedView } from './changedView.ts';
import { SavedViews, SaveView } from './SavedViews.tsx';

const view = {
  id: 'v1',
  name: 'Large ones',
  query: { state: 'open', ordering: '-amount' },
  shared: true,
  mine: true,
  by: { id: 'ann', name: 'Ann' },
  count: 3,
  count_is_more: false,
};

beforeEach(stubBrowser);
afterEach(() => {
  notifications.clean();
  cleanup();
  vi.unstubAllGlobals();
});

function removeIt(back: unknown) {
  const held = { views: [view] };
  const calls = serve({
    'GET inbox-views/': () => ({ results: held.views, total: held.views.length }),
    'DELETE inbox-views/v1/': () => {
      held.views = [];
      return {};
    },
    'POST inbox-views/': () => {
      if (!(back instanceof Refused)) held.views = [view];
      return back;
    },
  });
  show(
    <>
      <Notifications />
      <SavedViews filter={{ state: 'open', ordering: '-amount' }} change={() => undefined} />
    </>,
  );
  return calls;
}

test('a view that was deleted comes back as it was', async () => {
  const calls = removeIt(view);
  fireEvent.click(await screen.findByRole('button', { name: 'Delete the view Large ones' }));
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Large ones/ })).toBeNull());

  fireEvent.click(undo);

  expect(await screen.findByRole('button', { name: /^Large ones/ })).toBeVisible();
  const { name, query, shared } = view;
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ name, query, shared });
});

test('one that cannot come back is said', async () => {
  removeIt(new Refused(400, { detail: 'there are too many views' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete the view Large ones' }));

  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  await waitFor(() => expect(screen.getByText(/was not brought back/)).toBeInTheDocument());
});

test('two quick presses: Escape closes what was just opened, wherever the focus is', async () => {
  serve({ 'GET inbox-views/': { results: [view], total: 1 } });
  const shown: InterruptFilter = { state: 'open', ordering: '-amount' };
  show(
    <>
      <SavedViews filter={shown} change={() => undefined} />
      <SaveView filter={{ ...shown, kind: 'approval' }} />
    </>,
  );

  for (const name of ['Rename the view Large ones', 'Save this view']) {
    const button = await screen.findByRole('button', { name });
    fireEvent.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(button).toHaveAttribute('aria-expanded', 'false');
  }
});

test('a view is renamed where it stands, and keeps what it shows', async () => {
  const held = { view };
  const calls = serve({
    'GET inbox-views/': () => ({ results: [held.view], total: 1 }),
    'PATCH inbox-views/v1/': () => {
      held.view = { ...view, name: 'Largest' };
      return held.view;
    },
  });
  show(<SavedViews filter={{ state: 'open', ordering: '-amount' }} change={() => undefined} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Rename the view Large ones' }));
  const field = await screen.findByLabelText('Name of the view');
  expect(field).toHaveValue('Large ones');
  fireEvent.change(field, { target: { value: 'Largest ' } });

  fireEvent.submit(field);

  expect(await screen.findByRole('button', { name: /^Largest/ })).toBeVisible();
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ name: 'Largest' });
});

function Head({ filter }: { filter: InterruptFilter }) {
  const { changed, leave } = useChangedView(filter);
  return (
    <>
      <button type="button" onClick={leave}>
        Leave
      </button>
      <SavedViews filter={filter} change={() => undefined} changed={changed} />
    </>
  );
}

test('a view that one came from is brought up to what the list shows now', async () => {
  const calls = serve({
    'GET inbox-views/': () => ({ results: [view], total: 1 }),
    'PATCH inbox-views/v1/': () => view,
  });
  const { rerender } = show(<Head filter={{ state: 'open', ordering: '-amount' }} />);
  await screen.findByRole('button', { name: /^Large ones/ });
  expect(screen.queryByRole('button', { name: 'Update the view Large ones' })).toBeNull();
  rerender(<Head filter={{ state: 'open', ordering: '-risk', kind: 'approval' }} />);

  fireEvent.click(await screen.findByRole('button', { name: 'Update the view Large ones' }));

  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
      query: { state: 'open', ordering: '-risk', kind: 'approval' },
    }),
  );
});

test('who turned to another list is not offered to change the view', async () => {
  serve({ 'GET inbox-views/': () => ({ results: [view], total: 1 }) });
  const { rerender } = show(<Head filter={{ state: 'open', ordering: '-amount' }} />);
  await screen.findByRole('button', { name: /^Large ones/ });
  rerender(<Head filter={{ state: 'open', ordering: '-risk' }} />);
  await screen.findByRole('button', { name: 'Update the view Large ones' });

  fireEvent.click(screen.getByRole('button', { name: 'Leave' }));

  expect(screen.queryByRole('button', { name: 'Update the view Large ones' })).toBeNull();
});

test('a name that is missing or taken is said in a line, and nothing is sent', async () => {
  const other = { ...view, id: 'v2', name: 'Small ones', query: { state: 'open' } };
  const calls = serve({ 'GET inbox-views/': { results: [view, other], total: 2 } });
  const shown: InterruptFilter = { state: 'open', ordering: '-amount' };
  show(
    <>
      <SavedViews filter={shown} change={() => undefined} />
      <SaveView filter={{ ...shown, kind: 'approval' }} />
    </>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Rename the view Large ones' }));
  const renamed = await screen.findByLabelText('Name of the view');
  fireEvent.change(renamed, { target: { value: 'small  ONES' } });
  expect(screen.getByText(/You have a view Small ones already/)).toBeInTheDocument();
  fireEvent.submit(renamed);
  fireEvent.keyDown(document.body, { key: 'Escape' });

  fireEvent.click(screen.getByRole('button', { name: 'Save this view' }));
  const named = await screen.findByLabelText('Name of the view');
  expect(screen.queryByText('Write a name for the view.')).toBeNull();
  fireEvent.submit(named);
  expect(screen.getByText('Write a name for the view.')).toBeInTheDocument();
  fireEvent.change(named, { target: { value: 'large ones' } });
  expect(screen.getByRole('button', { name: 'Replace the view Large ones' })).toBeInTheDocument();
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});

// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { Notifications, notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refused, serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { SavedViews } from './SavedViews.tsx';

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
  expect(screen.queryByRole('button', { name: /^Large ones/ })).toBeNull();

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

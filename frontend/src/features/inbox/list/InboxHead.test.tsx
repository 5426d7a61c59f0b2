// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { InboxHead } from './InboxHead.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [true, '60 · 2 tests'],
  [false, '60 · 2+ tests'],
])('tests are counted of what is listed (all of it: %s)', (isWhole, words) => {
  serve({ 'GET inbox-views/': { results: [], total: 0 } });
  const rows = [true, true, false].map((is_test) => ({ run: { is_test } }) as Interrupt);
  show(
    <InboxHead
      filter={{ state: 'open' }}
      change={() => undefined}
      total="60"
      sending={0}
      rows={rows}
      isWhole={isWhole}
    />,
  );

  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(`Inbox${words}`);
});

test('Escape empties the search and gives the keys back to the list', () => {
  serve({ 'GET inbox-views/': { results: [], total: 0 } });
  const change = vi.fn();
  const filter = { state: 'open', search: 'Nora' } as const;
  show(<InboxHead filter={filter} change={change} total="1" sending={0} rows={[]} isWhole />);
  const field = screen.getByRole('searchbox');
  field.focus();
  fireEvent.keyDown(field, { key: 'Escape' });

  expect(field).toHaveValue('');
  expect(field).not.toHaveFocus();
  expect(change).toHaveBeenCalledWith({ search: null });
});

test('an order that was chosen gives the keys back to the list', async () => {
  serve({ 'GET inbox-views/': { results: [], total: 0 } });
  const change = vi.fn();
  show(
    <section aria-label="Inbox">
      <InboxHead
        filter={{ state: 'open' }}
        change={change}
        total="1"
        sending={0}
        rows={[]}
        isWhole
      />
      <a href="/inbox/i" data-item="i">
        Pay Nora?
      </a>
    </section>,
  );
  const order = screen.getByRole('combobox', { name: 'Order' });
  order.focus();
  fireEvent.click(order);
  fireEvent.click(await screen.findByRole('option', { name: 'Largest amount' }));

  expect(change).toHaveBeenCalledWith({ ordering: '-amount' });
  await waitFor(() => expect(screen.getByRole('link', { name: 'Pay Nora?' })).toHaveFocus());
});

// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { Alike } from './Alike.tsx';
import type { AlikeItem } from './queries.ts';

const item = {
  request_id: 'i2',
  kind: 'approval',
  status: 'open',
  request: { data: { customer: 'Nora' } },
} as unknown as Interrupt;
const decided: AlikeItem = {
  request_id: 'i1',
  title: 'Send it to Nora?',
  run_title: 'Late parcel',
  amount: 20,
  status: 'answered',
  decision: 'approved',
  by: { id: 'u1', name: 'Rita' },
  at: null,
  opened_at: '2026-01-01T10:00:00Z',
  took_ms: 60_000,
  ended: null,
};
const nothing = { count: 0, approved: 0, median: null, amount: null, last_approved: null };

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('what the same run was decided before is told by its message', async () => {
  serve({
    'GET interrupts/i2/alike/': { ...nothing, last: [], earlier: [decided], others: [] },
  });
  show(<Alike item={item} schemas={{}} />);

  const list = await screen.findByRole('list', { name: 'Decided before' });
  expect(within(list).getByRole('link', { name: 'Send it to Nora?' })).toBeVisible();
  expect(list).toHaveTextContent('approved by Rita after 1 min');
  expect(screen.queryByRole('heading', { name: 'Like this one' })).toBeNull();
});

test('items of one step are told apart by what their runs started with', async () => {
  const plain = { ...decided, title: 'Send it?', amount: null };
  const last = [
    { ...plain, request_id: 'i3' },
    { ...plain, request_id: 'i4', run_title: 'Nora · 17', amount: 20 },
    { ...plain, request_id: 'i5', run_title: '' },
    { ...plain, request_id: 'i6', title: 'Send the late parcel?' },
  ];
  const others = [
    { field: 'customer', value: 'Nora', count: 1, items: [{ ...plain, run_title: 'Nora' }] },
  ];
  serve({ 'GET interrupts/i2/alike/': { ...nothing, count: 4, last, earlier: [], others } });
  show(<Alike item={item} schemas={{}} />);

  const names = async (list: string) =>
    within(await screen.findByRole('list', { name: list }))
      .getAllByRole('link')
      .map((link) => link.textContent);
  expect(await names('Decided last')).toEqual([
    'Send it · Late parcel',
    '20.00 · Nora · 17',
    'Send it?',
    'Send the late parcel?',
  ]);
  expect(await names('With Nora')).toEqual(['Send it?']);
});
